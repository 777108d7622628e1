/** The picture of a result to share, drawn in code. It tells no card. */

export interface Picture {
  title: string // "tacit · Today's deal 214"
  game: string
  result: string
  place: string // may be empty
  dots: string // may be empty
  poster: string // address of the game's picture
  mood: { ground: string; ink: string; ink2: string }
}

const WIDTH = 1200
const HEIGHT = 630
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

function dot(sign: string, x: number, ink: string): string {
  const ring = `<circle cx="${x}" cy="530" r="21" fill="${sign === '●' ? ink : 'none'}" stroke="${ink}" stroke-width="5"/>`
  return sign === '◐' ? `${ring}<path d="M${x} 509a21 21 0 0 0 0 42Z" fill="${ink}"/>` : ring
}

/** The picture as SVG. `art` is the poster as a data: address; without it there is none. */
export function svgOf(picture: Picture, art: string): string {
  const { ground, ink, ink2 } = picture.mood
  const line = (y: number, size: number, text: string, fill: string, font: string): string =>
    `<text x="70" y="${y}" font-family="${font}" font-size="${size}" font-weight="600" fill="${fill}">${escaped(text)}</text>`
  const serif = 'Fraunces Variable, Georgia, serif'
  const sans = 'Inter Variable, system-ui, sans-serif'
  // Long words are made smaller rather than cut.
  const fit = (text: string, size: number, room: number): number => Math.min(size, (room / text.length) * 1.85)
  const room = art ? 640 : 1060
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${ground}"/>`,
    art && `<image href="${art}" x="740" y="0" width="460" height="${HEIGHT}" preserveAspectRatio="xMidYMid slice"/>`,
    line(115, fit(picture.title, 36, room), picture.title, ink2, sans),
    line(235, fit(picture.game, 84, room), picture.game, ink, serif),
    line(345, fit(picture.result, 62, room), picture.result, ink, serif),
    picture.place && line(420, fit(picture.place, 38, room), picture.place, ink2, sans),
    ...[...picture.dots].map((sign, i) => dot(sign, 92 + i * 62, ink)),
    '</svg>',
  ]
    .filter(Boolean)
    .join('')
}

const dataOf = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

/** The picture as a PNG file. */
export async function pngOf(picture: Picture): Promise<Blob> {
  const art = picture.poster.startsWith('data:')
    ? picture.poster
    : await fetch(picture.poster).then(async (answer) => (answer.ok ? dataOf(await answer.text()) : ''))
  const image = new Image()
  image.src = dataOf(svgOf(picture, art))
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), 'image/png'),
  )
}

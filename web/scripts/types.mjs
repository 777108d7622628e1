// The types of every message and of every game's view, made from the server's own schema.
//   node scripts/types.mjs            writes src/wire/protocol.gen.ts and src/games/*/view.gen.ts
//   node scripts/types.mjs --check    fails when they are stale
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { compile } from 'json-schema-to-typescript'

const python = process.env.PYTHON ?? 'python3'
const schema = (document) =>
  JSON.parse(execFileSync(python, ['-m', 'tacit', 'protocol', document], { encoding: 'utf8', maxBuffer: 1 << 26 }))
const options = {
  bannerComment: '',
  format: false,
  additionalProperties: false,
  unknownAny: true,
  unreachableDefinitions: false,
}
const HEAD = '/* Made by `npm run types` from the server. Do not edit. */\n/* eslint-disable */\n\n'

/** Draft 2020-12 keeps definitions in $defs and tuples in prefixItems; the generator reads the older names. */
function older(node) {
  if (Array.isArray(node)) return node.map(older)
  if (node === null || typeof node !== 'object') return node
  const out = {}
  if (node.type === 'object' && !node.properties && node.additionalProperties === undefined)
    out.additionalProperties = true
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref') out[key] = value.replace('#/$defs/', '#/definitions/')
    else if (key === 'prefixItems') out.items = older(value)
    else if (
      ['title', 'default', 'minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum'].includes(key)
    ) {
      if (typeof value === 'object' && !Array.isArray(value)) out[key] = older(value)
    } else out[key] = older(value)
  }
  return out
}

async function messages() {
  const document = schema('messages')
  const { commands, events, http } = document
  const root = {
    title: 'Wire',
    type: 'object',
    additionalProperties: false,
    required: ['command', 'event', ...Object.keys(http)],
    properties: { command: commands, event: events, ...http },
    definitions: document.$defs,
  }
  const text = await compile(older(root), 'Wire', options)
  return `${HEAD}export const PROTOCOL = ${document.protocol}\n\n${text}`
}

async function views() {
  const document = schema('views')
  const found = {}
  for (const [game, ref] of Object.entries(document.views)) {
    // Names of other games' types carry their module; one file a game keeps them short.
    const root = { ...older(document.$defs[ref.$ref.split('/').pop()]), definitions: older(document.$defs) }
    let text = await compile({ ...root, title: 'View' }, 'View', options)
    const module = game.replaceAll('-', '_')
    const prefix = ['Tacit', 'Games', ...module.split('_'), 'View'].map((w) => w[0].toUpperCase() + w.slice(1)).join('')
    text = text.replaceAll(new RegExp(`\\b${prefix}(?=[A-Z])`, 'g'), '')
    found[game] = HEAD + text
  }
  return found
}

const files = { 'src/wire/protocol.gen.ts': await messages() }
for (const [game, text] of Object.entries(await views()))
  if (existsSync(`src/games/${game}`)) files[`src/games/${game}/view.gen.ts`] = text
let stale = 0
for (const [file, text] of Object.entries(files)) {
  if (process.argv.includes('--check')) {
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      console.error(`${file} is stale: run "npm run types".`)
      stale = 1
    }
  } else writeFileSync(file, text)
}
process.exit(stale)

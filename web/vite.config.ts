import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const PAGE = '../src/tacit/server/page' // the server serves it from there, and the wheel carries it
const SERVER = process.env.TACIT_SERVER ?? 'http://127.0.0.1:8000'

const TESTS = ['tests/**/*.test.ts']
/** Tests that replace modules have an environment of their own. To make one takes longer than most tests: the others share one. */
const ALONE = readdirSync('tests')
  .filter(
    (name) => name.endsWith('.test.ts') && /vi\.(mock|resetModules)\(/.test(readFileSync(join('tests', name), 'utf8')),
  )
  .map((name) => `tests/${name}`)

/** Beside every text file its compressed forms, so that the server only hands them out. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: (_, { command, mode }) => command === 'build' && mode === 'production',
    closeBundle() {
      for (const name of readdirSync(PAGE, { recursive: true, encoding: 'utf8' })) {
        const file = join(PAGE, name)
        if (!/\.(js|css|html|svg|json|webmanifest)$/.test(name) || statSync(file).size < 600) continue
        if (name.endsWith('.html')) continue // the server writes link previews into it
        const text = readFileSync(file)
        writeFileSync(`${file}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
        writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
      }
    },
  }
}

/** The installed page's shortcuts: a new table of each game that has a folder. */
function shortcuts(): Plugin {
  return {
    name: 'shortcuts',
    apply: 'build',
    closeBundle() {
      const file = join(PAGE, 'manifest.webmanifest')
      const found = readdirSync('src/games')
        .filter((game) => existsSync(`src/games/${game}/meta.ts`))
        .map((game) => {
          const text = readFileSync(`src/games/${game}/meta.ts`, 'utf8')
          const name = /short: '(.*)'/.exec(text)?.[1] ?? /title: '(.*)'/.exec(text)?.[1]
          return { name, url: `/new/${game}` }
        })
      const manifest = JSON.parse(readFileSync(file, 'utf8')) as object
      writeFileSync(file, JSON.stringify({ ...manifest, shortcuts: found }))
    },
  }
}

export default defineConfig({
  plugins: [svelte(), shortcuts(), compressed()],
  build: {
    outDir: PAGE,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 1024,
    rolldownOptions: { checks: { bundlerTimings: false } }, // on a busy machine it would complain of being slow
  },
  server: {
    fs: { allow: ['..'] },
    proxy: { '/api': { target: SERVER, ws: true } },
  },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: {
    environment: 'jsdom',
    unstubGlobals: true,
    testTimeout: 60_000, // a busy machine makes a test slow, not red
    maxWorkers: 1, // each would make the environment and read all modules for itself: most of the time
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE } },
      { extends: true, test: { name: 'together', include: TESTS, exclude: ALONE, isolate: false } },
    ],
  },
})

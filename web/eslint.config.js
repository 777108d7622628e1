// What prettier and svelte-check do not see: code that does nothing, Svelte's own traps, promises that nobody awaits.
import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import { defineConfig } from 'eslint/config'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

const TYPED = ['src/**/*.ts', 'src/**/*.svelte', 'tests/**/*.ts']
const typescript = { extraFileExtensions: ['.svelte'], parser: ts.parser, svelteConfig }

/** Rules that ask the type checker take most of a minute, so only the long run has them. */
const long = {
  files: TYPED,
  languageOptions: { parserOptions: { ...typescript, projectService: true } },
  rules: {
    '@typescript-eslint/await-thenable': 'error',
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }], // handlers may be async
  },
}

export default defineConfig(
  { ignores: ['**/*.gen.ts', 'public/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      '@typescript-eslint/no-unused-vars': 'off', // noUnusedLocals in tsconfig.json
      'svelte/no-useless-mustaches': 'off', // {' '} is a space that prettier must not break
      'svelte/prefer-svelte-reactivity': 'off', // our maps and dates are replaced, never changed in place
    },
  },
  {
    files: TYPED,
    languageOptions: { parserOptions: typescript },
    rules: { 'no-undef': 'off' }, // TypeScript knows
  },
  process.env.TACIT_LONG ? long : [],
)

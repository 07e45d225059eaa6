import eslint from '@eslint/js'
import { defineConfig } from 'eslint/config'
import prettier from 'eslint-config-prettier/flat'
import reactHooks from 'eslint-plugin-react-hooks'
import importSort from 'eslint-plugin-simple-import-sort'
import unicorn from 'eslint-plugin-unicorn'
import globals from 'globals'
import tseslint from 'typescript-eslint'

const IPC = {
  name: 'electron',
  importNames: ['ipcMain', 'ipcRenderer'],
  message: 'Go through the typed contract in src-shared/ipc.',
}
const ONE_PAUSE =
  'Wait for a state with expect.poll; the one pause is that of e2e/fixtures/pause.ts (docs/testing.md, rule 1).'

export default defineConfig(
  {
    // The yardstick of a bench stays as it is.
    ignores: [
      'out',
      'dist',
      'coverage',
      '.build',
      'test-results',
      'playwright-report',
      'bench/gateway/floor-gw.mjs',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: './tsconfig.node.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'simple-import-sort': importSort, unicorn },
    rules: {
      'simple-import-sort/imports': 'error',
      'simple-import-sort/exports': 'error',
      'unicorn/filename-case': ['error', { case: 'kebabCase' }],
      'unicorn/prefer-node-protocol': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 12],
      'no-console': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['src-renderer/**'],
    languageOptions: { parserOptions: { project: './tsconfig.web.json' } },
  },
  {
    files: ['scripts/**/*.mjs', 'e2e/**/*.mjs', 'bench/**/*.mjs', '*.mjs'],
    languageOptions: { globals: globals.node },
  },
  { files: ['src-renderer/**/*.tsx'], extends: [reactHooks.configs.flat.recommended] },
  {
    files: ['**/*.ts'],
    ignores: ['src-main/shell/ipc-main-bridge.ts', 'src-preload/**'],
    rules: {
      'no-restricted-imports': ['error', { paths: [IPC] }],
    },
  },
  {
    files: ['**/*.test.ts', 'e2e/**/*.ts', 'bench/**/*.ts'],
    // The dearest rule of all; what is deprecated is found in the source itself.
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    files: ['**/*.test.{ts,tsx}', 'e2e/**'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-empty-function': 'off' },
  },
  {
    files: ['**/*.test.{ts,mjs}', '**/*.spec.ts'],
    // docs/testing.md: a test waits for a state, never for a time, and asserts no time.
    rules: {
      'no-restricted-globals': ['error', { name: 'setTimeout', message: ONE_PAUSE }],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            IPC,
            ...['node:timers/promises', 'node:timers'].map((name) => ({
              name,
              importNames: ['setTimeout'],
              message: ONE_PAUSE,
            })),
          ],
        },
      ],
      'no-restricted-properties': ['error', { property: 'waitForTimeout' }],
      'no-restricted-syntax': [
        'error',
        {
          // Also where the time is what the matcher is given.
          selector:
            'CallExpression[callee.property.name=/^toBeLessThan(OrEqual)?$/] BinaryExpression[operator="-"] ' +
            'CallExpression[callee.object.name=/^(performance|Date)$/][callee.property.name="now"]',
          message:
            'Assert order, counts or an injected clock, or the processor time (docs/testing.md, rule 2).',
        },
      ],
    },
  },
  // Playwright reads which fixtures a function takes from its first parameter, which must be a pattern.
  { files: ['e2e/**/*.ts'], rules: { 'no-empty-pattern': 'off' } },
  prettier,
)

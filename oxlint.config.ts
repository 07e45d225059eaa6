import { defineConfig, type OxlintOverride } from 'oxlint'

type Rules = NonNullable<OxlintOverride['rules']>

const IPC = {
  name: 'electron',
  importNames: ['ipcMain', 'ipcRenderer'],
  message: 'Go through the typed contract in src-shared/ipc.',
}
const ONE_PAUSE =
  'Wait for a state with expect.poll; the one pause is that of e2e/fixtures/pause.ts (docs/testing.md, rule 1).'
const CODE_LINES = { skipBlankLines: true, skipComments: true }

/** Expands rule names without options to errors. */
function errors(prefix: string, names: string): Rules {
  return Object.fromEntries(names.split(/\s+/).map((name) => [`${prefix}${name}`, 'error']))
}

/** What the strict and the stylistic set of typescript-eslint hold beside `correctness`. */
const TYPES = `
  adjacent-overload-signatures array-type ban-tslint-comment class-literal-property-style
  consistent-generic-constructors consistent-indexed-object-style consistent-type-assertions
  consistent-type-imports dot-notation explicit-module-boundary-types
  no-confusing-non-null-assertion no-deprecated no-dynamic-delete no-empty-object-type
  no-explicit-any no-extraneous-class no-generated-empty-object-type no-inferrable-types
  no-invalid-void-type no-misused-promises no-mixed-enums no-namespace
  no-non-null-asserted-nullish-coalescing no-non-null-assertion no-require-imports
  no-unnecessary-boolean-literal-compare no-unnecessary-condition
  no-unnecessary-template-expression no-unnecessary-type-arguments no-unnecessary-type-assertion
  no-unnecessary-type-constraint no-unnecessary-type-conversion no-unnecessary-type-parameters
  no-unsafe-argument no-unsafe-assignment no-unsafe-call no-unsafe-enum-comparison
  no-unsafe-function-type no-unsafe-member-access no-unsafe-return
  non-nullable-type-assertion-style only-throw-error prefer-find prefer-for-of
  prefer-function-type prefer-includes prefer-literal-enum-member prefer-nullish-coalescing
  prefer-optional-chain prefer-promise-reject-errors prefer-reduce-type-parameter
  prefer-regexp-exec prefer-return-this-type prefer-string-starts-ends-with
  related-getter-setter-pairs require-await switch-exhaustiveness-check unified-signatures
  use-unknown-in-catch-callback-variable`

const REACT = `
  error-boundaries exhaustive-deps globals immutability incompatible-library jsx-key
  jsx-no-duplicate-props preserve-manual-memoization purity refs rules-of-hooks
  set-state-in-effect set-state-in-render static-components unsupported-syntax use-memo
  void-dom-elements-no-children`

export default defineConfig({
  // The reference implementation of a bench stays unchanged.
  ignorePatterns: ['out', 'dist', '.build', 'test-results', 'bench/gateway/floor-gw.mjs'],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc'],
  jsPlugins: [
    'eslint-plugin-simple-import-sort',
    // Provides the one rule on arbitrary syntax.
    { name: 'eslint-js', specifier: 'oxlint-plugin-eslint' },
  ],
  categories: { correctness: 'error' },
  rules: {
    ...errors('', 'no-case-declarations no-empty no-fallthrough no-prototype-builtins'),
    ...errors('', 'no-regex-spaces no-useless-assignment preserve-caught-error'),
    'no-restricted-imports': ['error', { paths: [IPC] }],
    // Short members of one kind share a line, and a schema has the key `then`.
    'unicorn/no-useless-spread': 'off',
    'unicorn/no-thenable': 'off',
    // Memory benches allocate on purpose.
    'unicorn/no-new-array': 'off',
  },
  overrides: [
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        ...errors('typescript/', TYPES.trim()),
        'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
        'typescript/restrict-plus-operands': [
          'error',
          {
            ...{ allowAny: false, allowBoolean: false, allowNullish: false },
            ...{ allowNumberAndString: false, allowRegExp: false },
          },
        ],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        ...errors('', 'no-array-constructor no-console no-empty-function no-useless-constructor'),
        ...errors('simple-import-sort/', 'imports exports'),
        'unicorn/filename-case': ['error', { case: 'kebabCase' }],
        'unicorn/prefer-node-protocol': 'error',
        'max-lines': ['error', { max: 400, ...CODE_LINES }],
        'max-lines-per-function': ['error', { max: 80, ...CODE_LINES }],
        complexity: ['error', 15],
      },
    },
    {
      files: ['**/*.tsx'],
      rules: { 'max-lines-per-function': ['error', { max: 120, ...CODE_LINES }] },
    },
    // TypeScript checks these elsewhere.
    { files: ['**/*.mjs'], env: { node: true }, rules: errors('', 'no-redeclare no-undef') },
    { files: ['e2e/electron-double/renderer-boot.mjs'], env: { browser: true } },
    { files: ['e2e/real-electron/chrome-108.mjs'], env: { browser: true } },
    // These replace methods with their own functions.
    { files: ['**/*.cjs'], env: { node: true }, rules: { 'typescript/unbound-method': 'off' } },
    { files: ['src-renderer/**/*.tsx'], plugins: ['react'], rules: errors('react/', REACT.trim()) },
    {
      files: ['src-main/shell/ipc-main-bridge.ts', 'src-preload/**'],
      rules: { 'no-restricted-imports': 'off' },
    },
    {
      files: ['**/*.test.{ts,tsx}', 'e2e/**'],
      rules: {
        'max-lines': ['error', { max: 400, ...CODE_LINES }],
        'max-lines-per-function': 'off',
        'no-empty-function': 'off',
        // Test peers also use the older protocol.
        'typescript/no-deprecated': 'off',
      },
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
                ...{ name, importNames: ['setTimeout'], message: ONE_PAUSE },
              })),
            ],
          },
        ],
        'no-restricted-properties': ['error', { property: 'waitForTimeout' }],
        'eslint-js/no-restricted-syntax': [
          'error',
          {
            // Also if the time is the argument of the matcher.
            selector:
              'CallExpression[callee.property.name=/^toBeLessThan(OrEqual)?$/] BinaryExpression[operator="-"] ' +
              'CallExpression[callee.object.name=/^(performance|Date)$/][callee.property.name="now"]',
            message:
              'Assert order, counts or an injected clock, or the processor time (docs/testing.md, rule 2).',
          },
        ],
      },
    },
    // Playwright reads a function's fixtures from its first parameter, which must be a pattern.
    { files: ['e2e/**/*.ts'], rules: { 'no-empty-pattern': 'off' } },
  ],
})

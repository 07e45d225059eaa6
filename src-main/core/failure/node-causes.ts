import type { CauseRow } from './cause-row'

const LOG = { kind: 'viewLog' } as const
const CONFIGURE = { kind: 'configure' } as const

/** What Node says of a program that it runs. */
export const NODE_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'node-file-missing',
    says: [/^Error(?: \[ERR_MODULE_NOT_FOUND\])?: Cannot find module '((?:\/|[A-Za-z]:\\)[^']+)'$/],
    sentence: (file) => `File not found: ${file}. Check the path.`,
    step: CONFIGURE,
  },
  {
    causeId: 'node-module-missing',
    says: [
      /^Error: Cannot find module '([^']+)'$/,
      /^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find (?:package|module) '([^']+)' imported from /,
    ],
    sentence: (name) =>
      `The Node.js module ${name} is missing. Reinstall the server or its dependencies.`,
    step: LOG,
  },
  {
    causeId: 'node-too-old',
    says: [
      /^SyntaxError: The requested module 'node:([\w/]+)' does not provide an export named '(\w+)'/,
    ],
    sentence: (module, name) =>
      `The server needs another version of Node.js: this one has no ${name} in node:${module}.`,
    step: { kind: 'setRunner', runner: 'npx' },
  },
  {
    causeId: 'out-of-memory',
    isOfKill: true,
    says: [/^FATAL ERROR: .{0,200}JavaScript heap out of memory/, /^MemoryError\b/],
    sentence: () => 'The server ran out of memory. Restart it, or give it less to do at a time.',
    step: LOG,
  },
]

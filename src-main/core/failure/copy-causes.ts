import type { CauseRow } from './cause-row'

const REPAIR = { kind: 'repair' } as const
/** A file in the copy that npx keeps of a package. */
const NPX_COPY = String.raw`[\\/]_npx[\\/][0-9a-f]{16}[\\/]`
/** A line of a traceback of Python, at a file of an environment that uvx keeps. */
const UVX_FRAME = /^ {2}File "[^"]{1,500}[\\/]archive-v\d{1,3}[\\/][\w-]{8,64}[\\/]/

/** What npx, uvx and what they run say of the copies that they keep, where those are broken (E7). */
export const COPY_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'npx-copy-stuck',
    says: [
      new RegExp(
        String.raw`^npm (?:error|ERR!) ENOTEMPTY: directory not empty, (?:rename|rmdir) '[^']{1,500}${NPX_COPY}node_modules[\\/]([^']+)'`,
      ),
    ],
    sentence: (part) =>
      `npx can’t update its copy of the package because leftover files of ${part} are in the way.`,
    step: REPAIR,
  },
  {
    causeId: 'npx-copy-shared',
    says: [/^npm (?:error|ERR!) code ECOMPROMISED$/],
    sentence: () =>
      'Another npm used the same package copy at the same time. Start again, and repair the copy if the failure stays.',
    step: REPAIR,
  },
  {
    causeId: 'npx-copy-unversioned',
    says: [/^npm (?:error|ERR!) Invalid Version: *$/],
    sentence: () => 'The package copy that npx keeps is broken: a package in it has no version.',
    step: REPAIR,
  },
  {
    causeId: 'npx-copy-broken',
    says: [
      new RegExp(
        String.raw`Cannot find (?:module|package) '[^']{1,500}${NPX_COPY}node_modules[\\/]([^']+)'`,
      ),
      new RegExp(
        String.raw`Cannot find (?:module|package) '([^']{1,200})' imported from [^']{1,500}${NPX_COPY}node_modules[\\/]`,
      ),
      new RegExp(
        String.raw`^npm (?:error|ERR!) enoent Could not read package\.json: Error: ENOENT: no such file or directory, open '[^']{1,500}${NPX_COPY}(package\.json)'`,
      ),
    ],
    sentence: (part) => `The package copy that npx keeps is broken: ${part} is missing.`,
    step: REPAIR,
  },
  {
    causeId: 'npx-program-missing',
    says: [/^sh: (?:1: |line 1: )?([\w.@-]+): (?:command )?not found$/],
    exitCodes: [127],
    phases: ['handshake'],
    runner: 'npx',
    sentence: (program) =>
      `The package copy that npx keeps is broken: the program ${program} is missing.`,
    step: REPAIR,
  },
  {
    causeId: 'npx-copy-cut',
    says: [
      new RegExp(
        String.raw`ERR_INVALID_PACKAGE_CONFIG\]: Invalid package config [^']{1,500}?${NPX_COPY}node_modules[\\/](\S+)`,
      ),
    ],
    sentence: (file) => `The package copy that npx keeps is broken: ${file} is incomplete.`,
    step: REPAIR,
  },
  {
    causeId: 'npx-file-cut',
    says: [new RegExp(String.raw`^(?:file:\/\/)?\S{1,500}?${NPX_COPY}node_modules[\\/](\S+):\d+$`)],
    beside: /^SyntaxError: Unexpected end of input$/,
    sentence: (file) => `The package copy that npx keeps is broken: ${file} is incomplete.`,
    step: REPAIR,
  },
  {
    causeId: 'npm-integrity',
    says: [/^npm (?:error|ERR!) code EINTEGRITY$/],
    sentence: () =>
      'npm’s integrity check failed: the download is incomplete, or npx keeps an outdated lock file.',
    step: REPAIR,
  },
  {
    causeId: 'uvx-copy-broken',
    says: [
      /^ModuleNotFoundError: No module named '([^']+)'/,
      /^ImportError: cannot import name '[^']{1,200}' from '([^']{1,200})' \(unknown location\)$/,
    ],
    beside: UVX_FRAME,
    sentence: (name) =>
      `The package copy that uvx keeps is broken: the Python module ${name} is missing.`,
    step: REPAIR,
  },
  {
    causeId: 'uvx-file-cut',
    says: [/^SyntaxError: unterminated .{1,60}string literal/],
    beside: UVX_FRAME,
    sentence: () => 'The package copy that uvx keeps is broken: a file is incomplete.',
    step: REPAIR,
  },
  {
    causeId: 'uvx-program-missing',
    says: [/^error: Failed to spawn: `?([^\s`]+)`?$/],
    runner: 'uvx',
    beside: /^ {2}(?:cause|Caused by): No such file or directory \(os error 2\)/,
    sentence: (program) =>
      `The package copy that uvx keeps is broken: the program ${program} is missing.`,
    step: REPAIR,
  },
]

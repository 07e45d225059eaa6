import type { CauseRow } from './cause-row'

const CONFIGURE = { kind: 'configure' } as const

const REPAIR = { kind: 'repair' } as const
const LOG = { kind: 'viewLog' } as const
/** A file in a package copy in npx's cache. */
const NPX_COPY = String.raw`[\\/]_npx[\\/][0-9a-f]{16}[\\/]`
/** A line of a Python traceback, at a file in uvx's cache. */
const UVX_FRAME = /^ {2}File "[^"]{1,500}[\\/]archive-v\d{1,3}[\\/][\w-]{8,64}[\\/]/

/** Node's messages about the program it runs. */
export const NODE_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'node-file-missing',
    patterns: [
      /^Error(?: \[ERR_MODULE_NOT_FOUND\])?: Cannot find module '((?:\/|[A-Za-z]:\\)[^']+)'$/,
    ],
    message: (file) => `File not found: ${file}. Check the path.`,
    step: CONFIGURE,
  },
  {
    causeId: 'node-module-missing',
    patterns: [
      /^Error: Cannot find module '([^']+)'$/,
      /^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find (?:package|module) '([^']+)' imported from /,
    ],
    message: (name) =>
      `The Node.js module ${name} is missing. Reinstall the server or its dependencies.`,
    step: LOG,
  },
  {
    causeId: 'node-too-old',
    patterns: [
      /^SyntaxError: The requested module 'node:([\w/]+)' does not provide an export named '(\w+)'/,
    ],
    message: (module, name) =>
      `The server needs another version of Node.js: this one has no ${name} in node:${module}.`,
    step: { kind: 'setRunner', runner: 'npx' },
  },
  {
    causeId: 'out-of-memory',
    isOfKill: true,
    patterns: [/^FATAL ERROR: .{0,200}JavaScript heap out of memory/, /^MemoryError\b/],
    message: () => 'The server ran out of memory. Restart it, or give it less to do at a time.',
    step: LOG,
  },
]

/** Messages of npx, uvx and their programs about broken cached copies (E7). */
export const COPY_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'npx-copy-stuck',
    patterns: [
      new RegExp(
        String.raw`^npm (?:error|ERR!) ENOTEMPTY: directory not empty, (?:rename|rmdir) '[^']{1,500}${NPX_COPY}node_modules[\\/]([^']+)'`,
      ),
    ],
    message: (part) =>
      `npx can’t update its copy of the package because leftover files of ${part} are in the way.`,
    step: REPAIR,
  },
  {
    causeId: 'npx-copy-shared',
    patterns: [/^npm (?:error|ERR!) code ECOMPROMISED$/],
    message: () =>
      'Another npm used the same package copy at the same time. Start again, and repair the copy if the failure stays.',
    step: REPAIR,
  },
  {
    causeId: 'npx-copy-unversioned',
    patterns: [/^npm (?:error|ERR!) Invalid Version: *$/],
    message: () => 'The package copy that npx keeps is broken: a package in it has no version.',
    step: REPAIR,
  },
  {
    causeId: 'npx-copy-broken',
    patterns: [
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
    message: (part) => `The package copy that npx keeps is broken: ${part} is missing.`,
    step: REPAIR,
  },
  {
    causeId: 'npx-program-missing',
    patterns: [/^sh: (?:1: |line 1: )?([\w.@-]+): (?:command )?not found$/],
    exitCodes: [127],
    phases: ['handshake'],
    runner: 'npx',
    message: (program) =>
      `The package copy that npx keeps is broken: the program ${program} is missing.`,
    step: REPAIR,
  },
  {
    causeId: 'npx-copy-cut',
    patterns: [
      new RegExp(
        String.raw`ERR_INVALID_PACKAGE_CONFIG\]: Invalid package config [^']{1,500}?${NPX_COPY}node_modules[\\/](\S+)`,
      ),
    ],
    message: (file) => `The package copy that npx keeps is broken: ${file} is incomplete.`,
    step: REPAIR,
  },
  {
    causeId: 'npx-file-cut',
    patterns: [
      new RegExp(String.raw`^(?:file:\/\/)?\S{1,500}?${NPX_COPY}node_modules[\\/](\S+):\d+$`),
    ],
    context: /^SyntaxError: Unexpected end of input$/,
    message: (file) => `The package copy that npx keeps is broken: ${file} is incomplete.`,
    step: REPAIR,
  },
  {
    causeId: 'npm-integrity',
    patterns: [/^npm (?:error|ERR!) code EINTEGRITY$/],
    message: () =>
      'npm’s integrity check failed: the download is incomplete, or npx keeps an outdated lock file.',
    step: REPAIR,
  },
  {
    causeId: 'uvx-copy-broken',
    patterns: [
      /^ModuleNotFoundError: No module named '([^']+)'/,
      /^ImportError: cannot import name '[^']{1,200}' from '([^']{1,200})' \(unknown location\)$/,
    ],
    context: UVX_FRAME,
    message: (name) =>
      `The package copy that uvx keeps is broken: the Python module ${name} is missing.`,
    step: REPAIR,
  },
  {
    causeId: 'uvx-file-cut',
    patterns: [/^SyntaxError: unterminated .{1,60}string literal/],
    context: UVX_FRAME,
    message: () => 'The package copy that uvx keeps is broken: a file is incomplete.',
    step: REPAIR,
  },
  {
    causeId: 'uvx-program-missing',
    patterns: [/^error: Failed to spawn: `?([^\s`]+)`?$/],
    runner: 'uvx',
    context: /^ {2}(?:cause|Caused by): No such file or directory \(os error 2\)/,
    message: (program) =>
      `The package copy that uvx keeps is broken: the program ${program} is missing.`,
    step: REPAIR,
  },
]

const NETWORK = { kind: 'network' } as const
const NPX = { kind: 'setRunner', runner: 'npx' } as const

const REJECTED = /^npm (?:error|ERR!) code (?:E401|E403|ENEEDAUTH)$/
const REGISTRY =
  /^npm (?:(?:error|ERR!) (?:40[13] )?40[13] .{0,80}?|http fetch )[A-Z]{3,4} (?:40[13] )?https?:\/\/(?:[^/\s@]{0,200}@)?([^/\s]+)/
/** Patchbay's own line about the user's npm configuration. */
const UNSET = /^\S.{0,200} uses \w{1,100}, which is not set$/
const SIGN_IN = 'Run "npm login" in a terminal, or correct the token in ~/.npmrc.'

/** The host that an install script couldn't reach. */
function unreachedHost(lines: readonly string[]): string | undefined {
  const patterns = [
    /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S{1,253})/,
    /\bconnect E(?:CONNREFUSED|TIMEDOUT|HOSTUNREACH|NETUNREACH) (\S{1,253})/,
    /\b[Cc]ould not resolve host: (\S{1,253})/,
  ]
  const found = lines.flatMap((line) => patterns.flatMap((one) => one.exec(line)?.[1] ?? []))
  return found.at(-1)
}

/** Messages of npm and npx before the server's program runs. */
export const NPM_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'npm-install-script',
    patterns: [
      /^npm (?:error|ERR!) path \S{0,500}node_modules[\\/]((?:@[\w.-]{1,100}[\\/])?[\w.-]{1,100})$/,
    ],
    context: /^npm (?:error|ERR!) command failed$/,
    more: unreachedHost,
    message: (name, host) =>
      host === ''
        ? `The install script of ${name} failed. Such scripts often download a browser or a program: check the log.`
        : `The install script of ${name} failed: ${host} can’t be reached. Check your network and proxy.`,
    step: (_name, host) => (host === '' ? LOG : NETWORK),
  },
  {
    causeId: 'npm-package-gone',
    isPermanent: true,
    patterns: [
      /^npm (?:error|ERR!) 404 {1,3}(?:The requested resource )?'([^']+?)(?:@[^'@]*)?' (?:could not be found|is not in)/,
    ],
    message: (name) =>
      `npm has no public package named ${name}. Check the name, or sign in to npm for a private package.`,
    step: LOG,
  },
  {
    causeId: 'npm-version-gone',
    isPermanent: true,
    patterns: [/^npm (?:error|ERR!) notarget No matching version found for (\S+?)\.?$/],
    message: (name) => `npm has no package version ${name}. Choose another version.`,
    step: LOG,
  },
  {
    causeId: 'npm-nothing-to-run',
    isPermanent: true,
    patterns: [/^npm (?:error|ERR!) could not determine executable to run/],
    message: () => 'The package contains no program to run. Check the package name.',
    step: LOG,
  },
  {
    causeId: 'npm-token-unset',
    isPermanent: true,
    patterns: [REGISTRY],
    context: UNSET,
    more: (lines) => UNSET.exec(lines.find((line) => UNSET.test(line)) ?? '')?.[0],
    message: (host, reason) =>
      `The registry ${host} rejected npm’s sign-in: ${reason}. Set the variable in your shell’s profile, then start again.`,
    step: LOG,
  },
  {
    causeId: 'npm-sign-in-rejected',
    isPermanent: true,
    patterns: [REGISTRY],
    context: REJECTED,
    message: (host) => `The registry ${host} rejected npm’s sign-in. ${SIGN_IN}`,
    step: LOG,
  },
  {
    causeId: 'npm-sign-in-needed',
    isPermanent: true,
    patterns: [REJECTED],
    message: () => `The registry rejected npm’s sign-in. ${SIGN_IN}`,
    step: LOG,
  },
  {
    causeId: 'node-too-old-for-package',
    isPermanent: true,
    patterns: [
      /^npm (?:error|ERR!) (?:engine|notsup) Not compatible with your version of node\/npm: (\S+)/,
    ],
    message: (name) => `${name} doesn’t support this version of Node.js.`,
    step: NPX,
  },
  {
    causeId: 'npm-cache-not-writable',
    patterns: [/^npm (?:error|ERR!) code (?:EACCES|EPERM)$/],
    message: () => 'npm can’t write to its cache folder. Check who owns the folder ~/.npm.',
    step: LOG,
  },
  {
    causeId: 'npm-disk-full',
    patterns: [/^npm (?:error|ERR!) code ENOSPC$/],
    message: () =>
      'The disk is full, so npm couldn’t save the package. Free some space, then start again.',
    step: LOG,
  },
  {
    causeId: 'npm-proxy-password',
    patterns: [
      /^npm (?:error|ERR!) code E407$/,
      /^npm (?:error|ERR!) 407 Proxy Authentication Required\b/,
    ],
    message: () =>
      'The proxy requires a user name and password. Enter them under Settings > Network.',
    step: NETWORK,
  },
  {
    causeId: 'npm-certificate',
    patterns: [
      /^npm (?:error|ERR!) code (?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/,
    ],
    message: () =>
      'npm doesn’t trust the registry’s certificate, often because of a company proxy. Add the root certificate under Settings > Network.',
    step: NETWORK,
  },
  {
    causeId: 'npm-unreached',
    patterns: [
      /^npm (?:error|ERR!) code (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT)$/,
    ],
    message: () =>
      'npm can’t reach its registry. Check your network and the proxy under Settings > Network.',
    step: NETWORK,
  },
]

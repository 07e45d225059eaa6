import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import type { CauseRow } from './cause-row'

const CONFIGURE = { kind: 'configure' } as const
/** Words of a server that continues without the setting. */
const CONTINUES = String.raw`(?!.{0,200}\b(?:using|defaults?|falling back|fallback|optional|anonymous(?:ly)?|skipp(?:ed|ing)|ignor(?:ed|ing)|disabled|without)\b)`

function fillIn(variable: string): FailureCause['step'] {
  return { kind: 'configure', variable }
}

function pickPort(address: string): FailureCause['step'] {
  const taken = Number(/:(\d{1,5})$/.exec(address)?.[1])
  return taken > 0 && taken < 65_536 ? { kind: 'pickPort', taken } : { kind: 'pickPort' }
}

const NAME = String.raw`[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8}`
/** One to six variable names, as a list in a sentence. */
const NAMES = String.raw`\b(${NAME}(?:(?:,| and|, and) ${NAME}){0,5})\b`
const EITHER = String.raw`\b(${NAME}(?:, ${NAME}){0,4},? or ${NAME})\b`
const VARIABLES = String.raw`[Ee]nvironment [Vv]ariables?`
const NEEDED = 'is required|are required|required|must be set'

/** The usage line of a help text. */
const USAGE = /^\s{0,8}usage\b(?::|\s*$)/i

/** Names as a list in a sentence, without duplicates. */
function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(new Set(names))
}

function namesIn(texts: readonly string[]): string {
  return listed(texts.flatMap((text) => text.match(new RegExp(NAME, 'g')) ?? []))
}

/** The names in the lines after a heading such as "Missing required environment variables:". */
function listedNames(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) =>
    /\b(?:[Mm]issing|[Rr]equired|[Nn]ot set|[Uu]nset)\b.{0,80}:\s*$/.test(line),
  )
  const names: string[] = []
  for (const line of lines.slice(at + 1)) {
    const name =
      /^\s{0,12}(?:[-*\u2022\u2717\u274C]|\d{1,2}[.)])?\s{0,4}\W{0,2}([A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){0,8})\b/.exec(
        line,
      )?.[1]
    if (name === undefined) break
    names.push(name)
  }
  return names.length === 0 ? undefined : listed(names)
}

/** The step to the field of the first variable. */
function fillInFirst(names: string): FailureCause['step'] {
  return fillIn(/[A-Z][A-Z0-9_]+/.exec(names)?.[0] ?? names)
}

/** Messages of servers about their settings, in any language runtime. */
export const SETTING_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'variables-missing',
    patterns: [/\b(?:[Mm]issing|[Rr]equired|[Nn]ot set|[Uu]nset)\b.{0,80}:()\s*$/],
    more: listedNames,
    needsMore: true,
    isPermanent: true,
    message: (_none, names) => `The server needs a value for ${names}.`,
    step: (_none, names) => fillInFirst(names),
  },
  {
    causeId: 'variable-either',
    patterns: [new RegExp(String.raw`${EITHER} (?:${VARIABLES} )?(?:${NEEDED})`)],
    isPermanent: true,
    message: (names) => `The server needs a value for ${names}.`,
    step: fillInFirst,
  },
  {
    causeId: 'variable-missing',
    patterns: [
      new RegExp(
        String.raw`${NAMES} (?:${VARIABLES} )?(?:${NEEDED}|(?:is not set|are not set|is missing|not set)${CONTINUES})`,
      ),
      new RegExp(
        String.raw`(?:[Pp]lease set|[Mm]issing)(?: the)?(?: required)?(?: ${VARIABLES})?:?(?: -)? ${NAMES}`,
      ),
      new RegExp(String.raw`\bset (?:the )?${NAMES} ${VARIABLES}`),
      new RegExp(String.raw`\b(?:is|are) required via .{0,60}?${NAMES}`),
      // The reason in one line and the name in the next.
      new RegExp(
        String.raw`\b(?:[Nn]o .{1,60} (?:was )?provided|is required|[Mm]issing .{0,60})\W.{0,160}?\b(?:[Ss]et|export|via|pass|environment variables?:?)\b.{0,40}?${NAMES}`,
      ),
    ],
    spansLines: true,
    all: namesIn,
    isPermanent: true,
    message: (names) => `The server needs a value for ${names}.`,
    step: fillInFirst,
  },
  {
    causeId: 'argument-missing',
    patterns: [
      /error: the following arguments are required: (.{1,200})/,
      /^error: missing required argument '([^']+)'/,
      /^Please provide (.{1,100}) as a command-line argument/,
    ],
    isPermanent: true,
    message: (name) => `The server needs another argument: ${name}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'argument-unknown',
    patterns: [/error: unrecognized arguments: (.{1,200})/, /^error: unknown option '([^']+)'/],
    isPermanent: true,
    message: (name) => `The server doesn’t accept this argument: ${name}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'help-with-command',
    // Only if nothing else went wrong: many programs print their help after an error.
    exitCodes: [0],
    phases: ['handshake'],
    patterns: [/^ {1,12}(start|serve|server|stdio|mcp|run|launch)(?:,? \S{1,40})?(?: {2,}\S|\s*$)/],
    context: USAGE,
    isPermanent: true,
    message: (command) =>
      `The server printed its help and exited. Add the argument that starts it, such as ${command}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'help-printed',
    exitCodes: [0],
    phases: ['handshake'],
    patterns: [USAGE],
    isPermanent: true,
    message: () =>
      'The server printed its help and exited. Add the argument that starts it, such as a subcommand from the help.',
    step: CONFIGURE,
  },
  {
    causeId: 'key-missing',
    patterns: [
      new RegExp(
        String.raw`\b(?:[Aa][Pp][Ii][ -]?[Kk]ey|[Aa]ccess [Tt]oken|[Aa]uth(?:entication)? [Tt]oken|[Bb]ot [Tt]oken|[Cc]redentials?)\b.{0,20}\b(?:is|are|was|were)? ?(?:missing|required|not set|not provided|not configured|not found|empty)\b${CONTINUES}()`,
      ),
      new RegExp(
        String.raw`\b(?:[Mm]issing|[Nn]o)(?: the| an?| your| valid| required)* (?:[Aa][Pp][Ii][ -]?[Kk]ey|[Aa]ccess [Tt]oken|[Aa]uth(?:entication)? [Tt]oken|[Cc]redentials)\b${CONTINUES}()`,
      ),
    ],
    more: (lines) =>
      /\b(?:env(?:ironment)?(?: [Vv]ariables?)?|export|[Ss]et|pass it as)\b.{0,3}\b([A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8})\b/.exec(
        lines.join('\n'),
      )?.[1],
    isPermanent: true,
    message: (_none, name) =>
      name === ''
        ? 'The server needs a key or token. Set it under Configure.'
        : `The server needs a key or token, such as ${name}.`,
    step: (_none, name) => (name === '' ? CONFIGURE : fillIn(name)),
  },
  {
    causeId: 'key-refused',
    patterns: [/\b(?:HTTP Error 401|401 Unauthorized|status code 401)\b/],
    message: () => 'A service rejected the server’s key (401). Check the key.',
    step: CONFIGURE,
  },
  {
    causeId: 'port-taken',
    patterns: [
      /EADDRINUSE: address already in use (\S+)/,
      /^OSError: \[Errno (?:48|98)\] .{0,80}[Aa]ddress already in use/,
    ],
    message: (address) =>
      `Another program already uses ${address === '' ? 'the server’s port' : address}.`,
    step: pickPort,
  },
  {
    causeId: 'already-running',
    patterns: [
      /\b(?:[Aa]nother|[Oo]ther) (?:instance|process|server|copy)\b.{0,60}\b(?:running|using|holds?|locked)\b/,
      /\b(?:is )?already running\b/,
      /\bdatabase is locked\b/,
      /\b(?:[Cc]ould not|[Cc]annot|[Cc]an't|[Uu]nable to|[Ff]ailed to) (?:set|get|acquire|obtain|take) (?:an? |the )?(?:exclusive )?(?:file )?lock\b/,
      /\block ?file\b.{0,80}\b(?:exists|held|present)\b/i,
    ],
    retryAfterMs: 30_000,
    message: () =>
      'Another process of this server, or of another app, holds what the server needs. End that process, then start again.',
    step: { kind: 'viewLog' },
  },
  {
    causeId: 'not-permitted',
    patterns: [
      /EACCES: permission denied, \w+ '([^']+)'/,
      /PermissionError: .{0,100}denied: '([^']+)'/,
    ],
    message: (file) => `The server has no permission to read or write ${file}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'disk-full',
    patterns: [/ENOSPC: no space left on device/, /No space left on device/],
    message: () => 'The disk is full. Free some space, then start again.',
    step: { kind: 'viewLog' },
  },
  {
    causeId: 'file-missing',
    // Most servers look for an optional `.env`.
    patterns: [/ENOENT: no such file or directory, \w+ '(?!(?:[^']{0,400}[/\\])?\.env')([^']+)'/],
    message: (file) => `File or folder not found: ${file}. Check the path.`,
    step: CONFIGURE,
  },
  {
    causeId: 'service-unreached',
    patterns: [
      /connect ECONNREFUSED (\S+)/,
      // Printed by libpq, which psycopg and others use.
      /connection to server at "([^"]{1,253})"(?: \([^)]{1,60}\))?, port (\d{1,5}) failed: Connection refused/,
      /dial tcp (\S{1,253}): connect: connection refused/,
      /[Cc]onnect call failed \('([^']{1,253})', (\d{1,5})\b/,
      /\bhost='([^']{1,253})', port=(\d{1,5})\).{0,300}\b[Cc]onnection refused/,
      /(?:connecting to|connect to|server on) [`'"]?([\w.-]{1,253}:\d{1,5})\b.{0,60}[Cc]onnection refused/,
      /(?:connecting to|connect to|server on) [`'"]?([\w.-]{1,253})[`'"]?.{0,60}[Cc]onnection refused/,
      /\b([\w.-]{1,253}:\d{1,5}): (?:\[Errno \d{1,5}\] )?[Cc]onnection refused/,
      /\[(?:Errno (?:61|111)|WinError 10061)\](?:.{0,60}[Cc]onnection refused|.{0,100})()/,
      /\b[Cc]onnection refused \(os error \d{1,5}\)()/,
    ],
    message: (host, port) => {
      const address = port === '' ? host : `${host}:${port}`
      const service = address === '' ? 'a service that it needs' : address
      return `The server can’t connect to ${service}. Check that this service is running.`
    },
    step: CONFIGURE,
  },
  {
    causeId: 'config-invalid',
    patterns: [/^\s*"message": "(.{1,120})",?$/],
    context: /"code": "(?:invalid_|too_small|too_big|custom|unrecognized_keys)/,
    isPermanent: true,
    message: (message) => `The server rejects its configuration: ${message.replace(/\.$/, '')}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'service-certificate',
    patterns: [
      /\b(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)\b/,
      /self-signed certificate/,
    ],
    message: () =>
      'The server doesn’t trust a service’s certificate. Add your company’s root certificate under Settings > Network.',
    step: { kind: 'network' },
  },
  {
    causeId: 'name-unresolved',
    patterns: [
      /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S{1,253})/,
      /host='([^']{1,253})', port=\d{1,5}\).{0,200}\bNameResolutionError/,
      /\[Errno -[235]\] (?:Name or service not known|Temporary failure in name resolution|No address associated with hostname)()/,
    ],
    message: (host) =>
      `The server can’t reach ${host === '' ? 'a service' : host}: the name can’t be resolved. Check your network and proxy.`,
    step: { kind: 'network' },
  },
  {
    causeId: 'service-unreachable',
    patterns: [/\bfetch failed\b/, /\bMax retries exceeded with url\b/, /\bENETUNREACH\b/],
    message: () => 'The server can’t reach a service on the network. Check your network and proxy.',
    step: { kind: 'network' },
  },
]

const LOG = { kind: 'viewLog' } as const
const TOOL_VERSION = /^\s*([a-z][\w-]{0,40}) (\d[\w.+-]{0,40})\s*$/u
const LISTED_VERSION = /^\s{1,8}(\d[\w.+-]{0,40})\s*$/u

/** The last matching line: version managers list the newest version last. */
function lastMatch(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  const line = lines.findLast((text) => pattern.test(text))
  return line === undefined ? undefined : (pattern.exec(line) ?? undefined)
}

function runOnce(manager: string, command: string): string {
  return `${manager} has no version chosen for this program. Run “${command}” in a terminal, then start again.`
}

/** Messages of version manager shims if no version is chosen. */
export const SHIM_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'asdf-version-missing',
    isPermanent: true,
    patterns: [/^No (?:preset )?version (?:is set|installed) for command (\S{1,60})/],
    more: (lines) => lastMatch(lines, TOOL_VERSION)?.slice(1, 3).join(' '),
    message: (program, found) =>
      found === ''
        ? `asdf has no version chosen for ${program}. Run “asdf set --home” with its tool and a version in a terminal, then start again.`
        : runOnce('asdf', `asdf set --home ${found}`),
    step: LOG,
  },
  {
    causeId: 'mise-version-missing',
    isPermanent: true,
    patterns: [/^(?:mise|rtx) ERROR No version is set for shim: (\S{1,60})/],
    more: (lines) => lastMatch(lines, /^\s*((?:mise|rtx) use -g \S{1,80})\s*$/u)?.[1],
    message: (program, found) => runOnce('mise', found === '' ? `mise use -g ${program}` : found),
    step: LOG,
  },
  {
    causeId: 'volta-version-missing',
    isPermanent: true,
    patterns: [
      /^Volta error: (Node|npm|Yarn|pnpm) is not available/,
      /using `volta install (\S{1,40})`/,
    ],
    message: (tool) => runOnce('Volta', `volta install ${tool.toLowerCase()}`),
    step: LOG,
  },
  {
    causeId: 'env-version-missing',
    isPermanent: true,
    patterns: [/^(pyenv|nodenv|rbenv|goenv): \S{1,60}: command not found/],
    more: (lines) => lastMatch(lines, LISTED_VERSION)?.[1],
    message: (manager, version) =>
      runOnce(manager, `${manager} global ${version === '' ? 'VERSION' : version}`),
    step: LOG,
  },
  {
    causeId: 'env-version-not-installed',
    isPermanent: true,
    patterns: [
      /^(pyenv|nodenv|rbenv|goenv): version [`'\u2018]([^'\u2019]{1,40})['\u2019] is not installed/,
    ],
    message: (manager, version) =>
      `${manager} has no version ${version} installed. Run “${manager} install ${version}” in a terminal, then start again.`,
    step: LOG,
  },
]

import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'
import { levelOf } from '../lines/line-level'
import type { CauseClues, CauseRow } from './cause-row'
import { signalOf } from './cause-row'
import { NODE_CAUSES } from './npm-causes'
import { COPY_CAUSES } from './npm-causes'
import { NPM_CAUSES } from './npm-causes'
import { PYTHON_CAUSES } from './python-causes'
import { SETTING_CAUSES } from './setting-causes'
import { SHIM_CAUSES } from './setting-causes'

const LOG = { kind: 'viewLog' } as const
const CONFIGURE = { kind: 'configure' } as const
/** Not a step to Settings: Docker's daemon doesn't read Patchbay's proxy. */
const OWN_PROXY =
  'Set the proxy in Docker itself: Settings > Resources > Proxies in Docker Desktop, or /etc/docker/daemon.json on Linux.'

/** Messages of Docker's daemon if it can't fetch an image. */
const DOCKER_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'container-terminal',
    isPermanent: true,
    patterns: [
      /^(?:docker: |Error: |FATA\[\d{4}\] )?(?:the input device is not a TTY|cannot attach stdin to a TTY-enabled container|cannot enable tty mode on non tty input)/i,
      /provided file is not a console/,
    ],
    message: () =>
      'The -t or --tty option needs a terminal, which servers don’t have. Remove that option.',
    step: { kind: 'configure' },
  },
  {
    causeId: 'docker-proxy-password',
    patterns: [daemonError('Proxy Authentication Required')],
    message: () => `The proxy requires a password from Docker. ${OWN_PROXY}`,
    step: LOG,
  },
  {
    causeId: 'docker-certificate',
    patterns: [daemonError('x509: certificate signed by unknown authority')],
    message: () =>
      'Docker doesn’t trust the image registry’s certificate, often because of a company proxy. Add the root certificate to the system, then restart Docker.',
    step: LOG,
  },
  {
    causeId: 'docker-unreached',
    patterns: [
      daemonError(
        String.raw`(?:proxyconnect tcp|dial tcp|TLS handshake timeout|Client\.Timeout exceeded|context deadline exceeded)`,
      ),
    ],
    message: () => `Docker can’t reach the image registry. ${OWN_PROXY}`,
    step: LOG,
  },
  {
    causeId: 'image-missing',
    isPermanent: true,
    patterns: [
      /^(?:docker: )?Error response from daemon: manifest for (\S+) not found\b/,
      /^(?:docker: )?Error response from daemon: pull access denied for ([^\s,]+)/,
      /^Error: initializing source docker:\/\/(\S+): .*\bmanifest unknown\b/,
    ],
    message: (image) =>
      `The image ${image} doesn’t exist, or its registry requires sign-in. Check the name, or sign in with docker login.`,
    step: CONFIGURE,
  },
  {
    causeId: 'image-architecture',
    isPermanent: true,
    patterns: [
      /^(?:\{.*"msg":")?exec (?:container process )?\S*: ?exec format error/i,
      /\bexec user process caused: exec format error\b/,
      /\bno matching manifest for \S+ in the manifest list entries\b/,
    ],
    message: () =>
      'The image was built for another processor. Choose an image for this computer’s processor.',
    step: CONFIGURE,
  },
]

/** Matches the daemon's own messages only: a server in a container may print the same about another service. */
function daemonError(message: string): RegExp {
  return new RegExp(String.raw`^(?:docker: )?Error response from daemon: .*${message}`)
}

/** Messages of a shell that can't run a program, and causes known from the exit alone. */
const EXIT_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'program-missing',
    isPermanent: true,
    patterns: [
      /^\S{0,100}\b(?:ba)?sh: (?:(?:line )?\d{1,6}: )?(?:exec: )?([^\s:]+): (?:command )?not found$/,
      /^(?:\S{0,100}\/)?env: [‘'](.{1,200})[’']: No such file or directory$/,
    ],
    exitCodes: [127],
    message: (program) =>
      `The command starts a program that isn’t installed: ${program}. Install it, or correct the command.`,
    step: CONFIGURE,
  },
  {
    causeId: 'program-not-runnable',
    isPermanent: true,
    patterns: [/^\S{0,100}\b(?:ba)?sh: (?:(?:line )?\d{1,6}: )?([^\s:]+): Permission denied$/],
    exitCodes: [126],
    message: (program) => `You don’t have permission to run this file: ${program}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'silent-exit',
    phases: ['discover'],
    isSilent: true,
    exitCodes: Array.from({ length: 126 }, (_, code) => code),
    message: () =>
      'The server started, then exited and printed nothing. Often a service that it needs, such as a database, can’t be reached. Check its address and keys.',
    step: CONFIGURE,
  },
  {
    causeId: 'program-crashed',
    signals: ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE'],
    message: (signal) =>
      `The program crashed (${signal}). Check the log, and look for a newer version.`,
    step: LOG,
  },
]

/** Characters read per line, which bounds hostile lines. */
const MAX_LINE_LENGTH = 1_000
/** Characters that a sentence repeats of a line. */
const MAX_NAME_LENGTH = 120

/** The first match counts: specific rows come before general ones. */
export const CAUSES: readonly CauseRow[] = [
  ...SHIM_CAUSES,
  ...NPM_CAUSES,
  ...COPY_CAUSES,
  ...PYTHON_CAUSES,
  ...DOCKER_CAUSES,
  ...NODE_CAUSES,
  ...SETTING_CAUSES,
  ...EXIT_CAUSES,
]

/** The cause that the clues show; undefined if none is known. */
export function causeOf(clues: CauseClues): FailureCause | undefined {
  const lines = clues.lines.filter(isGrave).map((line) => line.slice(0, MAX_LINE_LENGTH))
  for (const row of CAUSES) {
    const match = matchOf(row, { ...clues, lines })
    if (match === undefined) continue
    const [first, second] = [shortName(match[0]), shortName(match[1])]
    const step = typeof row.step === 'function' ? row.step(first, second) : row.step
    const { causeId, isPermanent, retryAfterMs } = row
    const retries = { ...(isPermanent && { isPermanent }), ...(retryAfterMs && { retryAfterMs }) }
    const cause = { causeId, message: row.message(first, second), step, ...retries }
    return step.kind === 'repair' && clues.isRepaired ? notRepaired(cause) : cause
  }
  return undefined
}

/** A warning is no reason to exit. */
function isGrave(line: string): boolean {
  return !['warn', 'debug'].includes(levelOf(line))
}

/** A freshly fetched copy lacks the file as published. */
function notRepaired({ message, ...cause }: FailureCause): FailureCause {
  return {
    ...cause,
    message: `${message} A fresh copy has the same fault, so the package itself is broken.`,
    step: { kind: 'viewLog' },
  }
}

/** The texts for a row's sentence if all its conditions hold. */
function matchOf(row: CauseRow, clues: CauseClues): readonly (string | undefined)[] | undefined {
  const { lines } = clues
  const { patterns, context } = row
  if (!isOfStart(row, clues)) return undefined
  if (row.isSilent && lines.length > 0) return undefined
  const end = endOf(row, clues)
  if (end === undefined) return undefined
  if (context && !lines.some((line) => context.test(line))) return undefined
  if (!patterns) return [end]
  const texts = row.spansLines ? [...lines, ...pairsOf(lines)] : lines
  const matches = texts.map((text) => matchIn(text, patterns)).filter((one) => one !== undefined)
  const [match] = matches
  const more = row.more?.(clues.lines)
  if (!match || (row.needsMore && more === undefined)) return undefined
  const first = row.all ? row.all(matches.map(([, text = '']) => text)) : match[1]
  return [first, row.more ? more : match[2]]
}

/** Each line joined with the next one. */
function pairsOf(lines: readonly string[]): string[] {
  return lines.slice(1).map((line, index) => `${lines[index] ?? ''} ${line.trimStart()}`)
}

function isOfStart({ phases, runner }: CauseRow, clues: CauseClues): boolean {
  const isPhase = !phases || (clues.phase !== undefined && phases.includes(clues.phase))
  return isPhase && (runner === undefined || runner === clues.runner)
}

/** The signal or exit code that a row requires, empty if it requires none; undefined if the server ended otherwise. */
function endOf(
  { exitCodes, signals, isOfKill }: CauseRow,
  { exit }: CauseClues,
): string | undefined {
  const isKilled = exit !== undefined && signalOf(exit) !== undefined
  if (!exitCodes && !signals) return isKilled && !isOfKill ? undefined : ''
  if (exit === undefined) return undefined
  const signal = signals?.find((one) => one === signalOf(exit))
  const code = exitCodes?.find((one) => one === exit.code)
  return signal ?? (code === undefined ? undefined : String(code))
}

function matchIn(line: string, patterns: readonly RegExp[]): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(line)
    if (match) return match
  }
  return undefined
}

function shortName(text = ''): string {
  const name = cleanLine(text)
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name
}

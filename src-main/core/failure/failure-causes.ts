import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'
import { levelOf } from '../lines/line-level'
import type { CauseClues, CauseRow } from './cause-row'
import { signalOf } from './cause-row'
import { DOCKER_CAUSES } from './docker-causes'
import { NODE_CAUSES } from './npm-causes'
import { COPY_CAUSES } from './npm-causes'
import { NPM_CAUSES } from './npm-causes'
import { PYTHON_CAUSES } from './python-causes'
import { SETTING_CAUSES } from './setting-causes'
import { SHIM_CAUSES } from './setting-causes'

const LOG = { kind: 'viewLog' } as const
const CONFIGURE = { kind: 'configure' } as const

/** What a shell says of a program that it cannot run, and what the end of a server alone tells. */
const EXIT_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'program-missing',
    isPermanent: true,
    says: [
      /^\S{0,100}\b(?:ba)?sh: (?:(?:line )?\d{1,6}: )?(?:exec: )?([^\s:]+): (?:command )?not found$/,
      /^(?:\S{0,100}\/)?env: [‘'](.{1,200})[’']: No such file or directory$/,
    ],
    exitCodes: [127],
    sentence: (program) =>
      `The command starts a program that isn’t installed: ${program}. Install it, or correct the command.`,
    step: CONFIGURE,
  },
  {
    causeId: 'program-not-runnable',
    isPermanent: true,
    says: [/^\S{0,100}\b(?:ba)?sh: (?:(?:line )?\d{1,6}: )?([^\s:]+): Permission denied$/],
    exitCodes: [126],
    sentence: (program) => `You don’t have permission to run this file: ${program}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'silent-exit',
    phases: ['discover'],
    isSilent: true,
    exitCodes: Array.from({ length: 126 }, (_, code) => code),
    sentence: () =>
      'The server started, then exited and printed nothing. Often a service that it needs, such as a database, can’t be reached. Check its address and keys.',
    step: CONFIGURE,
  },
  {
    causeId: 'program-crashed',
    signals: ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE'],
    sentence: (signal) =>
      `The program crashed (${signal}). Check the log, and look for a newer version.`,
    step: LOG,
  },
]

/** Of a line; a hostile one takes no time. */
const LONGEST_LINE = 1_000
/** Of what a sentence repeats of a line. */
const LONGEST_NAME = 120

/** The first that fits counts: those that know more stand before those that know less. */
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

/** The cause that the clues tell; undefined where none is known: then nothing is claimed. */
export function causeOf(clues: CauseClues): FailureCause | undefined {
  const lines = clues.lines.filter(isGrave).map((line) => line.slice(0, LONGEST_LINE))
  for (const row of CAUSES) {
    const told = toldBy(row, { ...clues, lines })
    if (told === undefined) continue
    const [first, second] = [shortName(told[0]), shortName(told[1])]
    const step = typeof row.step === 'function' ? row.step(first, second) : row.step
    const { causeId, isPermanent, retryAfterMs } = row
    const retries = { ...(isPermanent && { isPermanent }), ...(retryAfterMs && { retryAfterMs }) }
    const cause = { causeId, sentence: row.sentence(first, second), step, ...retries }
    return step.kind === 'repair' && clues.isRepaired ? notMended(cause) : cause
  }
  return undefined
}

/** A line that calls itself a warning is no reason to end. */
function isGrave(line: string): boolean {
  return !['warn', 'debug'].includes(levelOf(line))
}

/** What a repair has just fetched again lacks it as published. */
function notMended({ sentence, ...cause }: FailureCause): FailureCause {
  return {
    ...cause,
    sentence: `${sentence} A fresh copy has the same fault, so the package itself is broken.`,
    step: { kind: 'viewLog' },
  }
}

/** What the sentence of a row needs, where all that it names is so. */
function toldBy(row: CauseRow, clues: CauseClues): readonly (string | undefined)[] | undefined {
  const { lines } = clues
  const { says, beside } = row
  if (!isOfStart(row, clues)) return undefined
  if (row.isSilent && lines.length > 0) return undefined
  const end = endOf(row, clues)
  if (end === undefined) return undefined
  if (beside && !lines.some((line) => beside.test(line))) return undefined
  if (!says) return [end]
  const texts = row.spansLines ? [...lines, ...pairsOf(lines)] : lines
  const matches = texts.map((text) => matchIn(text, says)).filter((one) => one !== undefined)
  const [match] = matches
  const more = row.more?.(clues.lines)
  if (!match || (row.needsMore && more === undefined)) return undefined
  const first = row.all ? row.all(matches.map(([, text = '']) => text)) : match[1]
  return [first, row.more ? more : match[2]]
}

/** Each line with the one that follows it. */
function pairsOf(lines: readonly string[]): string[] {
  return lines.slice(1).map((line, index) => `${lines[index] ?? ''} ${line.trimStart()}`)
}

function isOfStart({ phases, runner }: CauseRow, clues: CauseClues): boolean {
  const isPhase = !phases || (clues.phase !== undefined && phases.includes(clues.phase))
  return isPhase && (runner === undefined || runner === clues.runner)
}

/** The signal or exit code that a row names, empty where it names none; undefined where it ended otherwise. */
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

function matchIn(line: string, says: readonly RegExp[]): RegExpExecArray | undefined {
  for (const pattern of says) {
    const match = pattern.exec(line)
    if (match) return match
  }
  return undefined
}

function shortName(text = ''): string {
  const name = cleanLine(text)
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
}

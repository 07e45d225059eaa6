import { containerRun } from '../../../../src-shared/form/terminal-option'
import { programName } from '../environment/manager-variables'
import { decidesCode } from './code-deciding'
import type { PlannedArgument } from './launch-plan'
import {
  type Options,
  PACKAGE_RUNNERS,
  type PackageRunner,
  type Wrapper,
  WRAPPERS,
} from './package-options'

/** Shells and similar programs, which run what their arguments name; spelled as `plainName` returns them. */
const ANY_PROGRAM = new Set([
  ...['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'mksh', 'fish', 'csh', 'tcsh', 'rbash', 'elvish'],
  ...['nu', 'xonsh', 'busybox', 'toybox', 'cmd', 'command', 'powershell', 'pwsh', 'osh', 'yash'],
  // Programs that run scripts or any program of the system, depending on their arguments.
  ...['wscript', 'cscript', 'mshta', 'rundll32', 'regsvr32', 'wsl', 'osascript', 'expect', 'eval'],
  ...['script', 'ssh', 'su', 'awk', 'gawk', 'mawk', 'nawk'],
])

/** Returns the name of a program without folder, file extension and version, in lower case. */
function plainName(command: string): string {
  const name = programName(command.toLowerCase()).replace(/\.(?:com|ps1)$/, '')
  return /^(?:python|pypy|perl|ruby|php|lua|node|bash|ksh)[\d.]+$/.test(name)
    ? name.replace(/[\d.]+$/, '')
    : name
}

type InlineCode = {
  /** Options whose value is code, or which load code before the program. */
  readonly code: RegExp
  /** Other options that take the next argument. */
  readonly valued?: RegExp
}

const NODE: InlineCode = {
  code: /^(?:-e|-p|-pe|--eval|--print|-r|--require|--import|--loader|--experimental-loader)(?:=|$)/,
  valued: /^(?:-C|--conditions|--env-file|--env-file-if-exists|--input-type|--watch-path)$/,
}
const PYTHON: InlineCode = { code: /^-[bBdEiIOPqsSuvx]*c/, valued: /^-(?:W|X)$/ }
const PERL: InlineCode = { code: /^-(?:[\w]*[eEMmId]|[0-9lnpaiwsTtuUWX]*e)/ }
const BUN: InlineCode = {
  code: /^(?:-e|-p|--eval|--print|-r|--preload|--require|--import)(?:=|$)/,
}
const SHORT_E: InlineCode = { code: /^(?:-[eE]|--eval|--execute|-eval)(?:=|$)/ }

/** Interpreters that accept code as an argument. */
const INLINE_CODE: ReadonlyMap<string, InlineCode> = new Map([
  ...(['node', 'nodejs', 'tsx', 'ts-node', 'electron'] as const).map(
    (name) => [name, NODE] as const,
  ),
  ...(['python', 'pythonw', 'py', 'pypy', 'ipython', 'jython'] as const).map(
    (name) => [name, PYTHON] as const,
  ),
  ...(
    ['rscript', 'r', 'julia', 'elixir', 'iex', 'erl', 'groovy', 'scala', 'racket', 'ghc'] as const
  ).map((name) => [name, SHORT_E] as const),
  ['bun', BUN],
  ['deno', { code: /^(?:eval|repl|--preload|--import|--require)(?:=|$)/ }],
  ['perl', PERL],
  ['ruby', { code: /^-(?:\w*[erI])/ }],
  ['php', { code: /^(?:-[rBRE]|-d|--run|--process-)/ }],
  ['lua', { code: /^-[el]/ }],
  ['luajit', { code: /^-[el]/ }],
  // This option splits its value into words.
  ['env', { code: /^-(?:[a-zA-Z0]*S|-split-string(?:=|$))/ }],
  ['guile', { code: /^-[cel]/ }],
  ['java', { code: /^-(?:javaagent|agentlib|agentpath|Xbootclasspath)/ }],
])

/** Maximum depth of programs that start programs. */
const MAX_LEVELS = 8
const CONSEQUENCE = 'can change which code runs and what it can access.'

type Word = Pick<PlannedArgument, 'value' | 'shown'>
/** Returns the warnings of the program at an index; `as` replaces its word if it has another name. */
type Follow = (at: number, as?: (word: Word) => Word) => string[]

/**
 * Warns if a command line starts another program than its package's: a shell or an interpreter with code in its arguments. The same applies
 * to any program after options that only select the installed packages. `args` are parsed as the programs parse them.
 */
export function startedProgramWarnings(command: string, args: readonly Word[]): string[] {
  return [...new Set(follow([{ value: command, shown: command }, ...args], MAX_LEVELS))]
}

function follow(line: readonly Word[], levels: number): string[] {
  const [program, ...args] = line
  if (program === undefined || levels === 0) return []
  const name = plainName(program.value)
  const next: Follow = (at, as = (word) => word) => {
    const started = args[at]
    return started ? follow([as(started), ...args.slice(at + 1)], levels - 1) : []
  }
  const plainCommand = name === 'cmd' ? commandOfCmd(args) : undefined
  if (plainCommand !== undefined) return next(plainCommand)
  if (ANY_PROGRAM.has(name))
    return [`"${program.shown}" runs any program that its arguments name. That ${CONSEQUENCE}`]
  const code = inlineCode(name, args)
  if (code !== undefined) return [optionsWarning(program, code)]
  const values = args.map(({ value }) => value)
  const run = containerRun(program.value, values)
  if (run !== undefined) {
    const entry = args
      .slice(run.optionsAt, run.end)
      .find(({ value }) => nameOf(value) === '--entrypoint')
    // An image without its own program runs whatever is named after it.
    return [...(entry ? [optionsWarning(program, entry)] : []), ...next(run.end + 1)]
  }
  const wrapper = WRAPPERS.get(name)
  const runners = PACKAGE_RUNNERS.get(name) ?? []
  return [
    ...(wrapper ? followWrapper(args, wrapper, next) : []),
    ...runners.flatMap((runner) => followRunner(program, args, runner, next)),
  ]
}

function followWrapper(args: readonly Word[], wrapper: Wrapper, next: Follow): string[] {
  const from = afterVerb(wrapper, args)
  if (from === undefined) return []
  const programs = new Set(firstPlain(args, from, wrapper))
  // Such as the seconds of timeout, and the folder of chroot.
  for (let more = 0; more < wrapper.operands; more += 1)
    for (const at of [...programs])
      for (const behind of firstPlain(args, at + 1, wrapper)) programs.add(behind)
  const variables = args
    .slice(from, Math.max(from, ...programs))
    .flatMap(({ value }) => /^([\w%()]+)=/.exec(value)?.[1] ?? [])
    .filter((variable) => decidesCode(variable))
  return [
    ...variables.map(
      (variable) => `The variable "${variable}" can change which program runs. Check its value.`,
    ),
    ...[...programs].flatMap((at) => next(at)),
  ]
}

function followRunner(
  program: Word,
  args: readonly Word[],
  runner: PackageRunner,
  next: Follow,
): string[] {
  const from = afterVerb(runner, args)
  if (from === undefined) return []
  const ends = firstPlain(args, from, runner)
  const dashes = args.findIndex(({ value }) => value === '--')
  const end = dashes === -1 ? args.length : dashes
  const last = runner.readsAll === true || ends.length === 0 ? end : Math.max(from, ...ends)
  // Words before the verb are options of the runner, too: `pnpm --package=x dlx y`.
  const options = args.slice(0, last)
  const calling = options.find(({ value }) => runner.calls.has(nameOf(value)))
  const packages = options.flatMap(({ value }, index) => {
    if (!runner.packages.has(nameOf(value))) return []
    const spec = value.includes('=') ? value.slice(value.indexOf('=') + 1) : args[index + 1]?.value
    return spec === undefined ? [] : [spec]
  })
  const isPackage = packages.length === 0 && !runner.runsAny
  const started = ends.flatMap((at) => {
    // Some packages are interpreters: `npx node@24 -e`, `uvx python -c`.
    const warnings = next(at, isPackage ? unversioned : undefined)
    const { value, shown } = args[at] ?? {}
    const isOwn =
      isPackage ||
      value === undefined ||
      runner.runsAny === true ||
      packages.some((spec) => isProgramOf(value, spec))
    if (warnings.length > 0 || isOwn) return warnings
    return [
      `${program.shown} starts "${shown ?? ''}", which may not be a program of the package. That ${CONSEQUENCE}`,
    ]
  })
  return [...(calling ? [optionsWarning(program, calling)] : []), ...started]
}

/** Returns the program's index in `cmd /c PROGRAM …`, which many apps need on Windows; undefined if cmd does more than start it. */
function commandOfCmd(args: readonly Word[]): number | undefined {
  const at = args.findIndex(({ value }) => !/^\/[dsq]$/i.test(value))
  // cmd splits a word with blanks into several.
  const isPlain =
    args.every(({ value }) => !/[&|<>^%!"\r\n]/.test(value)) &&
    !/\s/.test(args[at + 1]?.value ?? '')
  return isPlain && /^\/c$/i.test(args[at]?.value ?? '') ? at + 1 : undefined
}

/** Returns the option that holds code, before the program's file. */
function inlineCode(name: string, args: readonly Word[]): Word | undefined {
  const { code, valued = /^$/ } = INLINE_CODE.get(name) ?? {}
  if (code === undefined) return undefined
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]
    if (word === undefined || word.value === '--') return undefined
    if (code.test(word.value)) return word
    if (!/^[-+]/.test(word.value)) return undefined
    if (valued.test(word.value)) at += 1
  }
  return undefined
}

/** Returns the index of a verb's first argument; 0 if no verb is needed, undefined if another verb is present. */
function afterVerb(options: Options, args: readonly Word[]): number | undefined {
  if (options.verbs.length === 0) return 0
  for (const words of options.verbs) {
    let places = [0]
    for (const word of words)
      places = places
        .flatMap((from) => firstPlain(args, from, options))
        .flatMap((at) => (args[at]?.value === word ? [at + 1] : []))
    if (places[0] !== undefined) return places[0]
  }
  return undefined
}

/**
 * Returns the possible indexes of the first argument that isn't an option. An unknown option may take a value or not, so both are followed:
 * an entry can't hide its program behind one.
 */
function firstPlain(
  args: readonly Word[],
  from: number,
  { flags, valued, skips }: Options & { readonly skips?: RegExp },
): number[] {
  const ends: number[] = []
  const reached = new Set([from])
  // Iterating a set includes entries that are added meanwhile.
  for (const at of reached) {
    const value = args[at]?.value
    if (value === undefined) continue
    if (value === '--') ends.push(at + 1)
    else if (skips?.test(value)) reached.add(at + 1)
    else if (!value.startsWith('-') || value === '-') ends.push(at)
    else {
      const takesNext = !value.includes('=') && !flags.has(value)
      if (!takesNext || !valued.has(value)) reached.add(at + 1)
      if (takesNext) reached.add(at + 2)
    }
  }
  return ends
}

/** Whether a program has the name of a package, or a name that contains the package's as whole words. */
function isProgramOf(program: string, spec: string): boolean {
  if (/[\\/]/.test(program)) return false
  // The name after a scope, or after the host and path of an address.
  const [named = ''] = spec.replace(/^.*\//, '').split(/[@[=<>!~;,#\s]/)
  const own = segments(named.replace(/\.git$/, ''))
  return !/[a-z\d]/.test(own) || segments(program).includes(own)
}

/** Returns the name of an unscoped package, without its version. */
function unversioned({ value, shown }: Word): Word {
  return { value: value.replace(/(?<=.)(?:@|==).*$/, ''), shown }
}

/** A name between dashes: Python treats `a_b`, `A-B` and `a.b` as one. */
function segments(name: string): string {
  return `-${name.toLowerCase().replaceAll(/[_.-]+/g, '-')}-`
}

function optionsWarning(program: Word, option: Word): string {
  return `Options for ${program.shown} (${nameOf(option.shown)}) ${CONSEQUENCE}`
}

function nameOf(option: string): string {
  return option.split('=')[0] ?? option
}

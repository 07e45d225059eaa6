/**
 * An option that keeps a server from its stdin, or one that it takes to have a stdin, and what is put in its place: an option
 * that needs a terminal, which no server has, one that runs a container in the background, and a missing `-i`.
 */
export type TerminalOption = {
  /** Place in the arguments. */
  readonly at: number
  /** How many arguments `put` replaces. */
  readonly count: 0 | 1
  readonly put: readonly string[]
  readonly message: string
  /** The label of a button that applies the change. */
  readonly button: string
}

const CONTAINER_PROGRAM = /(?:^|[\\/])(docker|podman|nerdctl)(?:\.exe)?$/i
const SSH_PROGRAM = /(?:^|[\\/])ssh(?:\.exe)?$/i
/** Short options of run and exec that take no value, alone or in a row: `-it`. */
const CONTAINER_SWITCHES = /^-[dithPqT]+$/
const SSH_SWITCHES = /^-[46AaCfGgKkMNnqsTtVvXxYy]+$/
const LONG_SWITCHES =
  /^--(?:rm|init|privileged|read-only|publish-all|interactive|detach|quiet|no-healthcheck|oom-kill-disable|no-deps|service-ports|use-aliases|build|no-TTY|remove-orphans|debug|tls|tlsverify|all-resources|compatibility|dry-run|remote)$/
/** Alone or in a row of short options: `-it`, `-di`. */
const INTERACTIVE = /^(?:-[dtq]*i[dtqi]*|--interactive)(?:=true)?$/

/** An option that no server can have. */
type RejectedOption = { readonly letter: string; readonly long: RegExp; readonly message: string }

const TTY: RejectedOption = {
  letter: 't',
  long: /^--tty(?:=true)?$/,
  message: 'needs a terminal, but servers have none.',
}
const DETACH: RejectedOption = {
  letter: 'd',
  long: /^--detach(?:=true)?$/,
  message: 'runs the server in the background, where it gets no input.',
}

/** Where the options of a command begin, and what it is called. */
type OptionsOf = {
  readonly args: readonly string[]
  readonly from: number
  readonly name: string
  readonly switches?: RegExp
}

/** What is to be changed first so that a server can read its stdin; undefined where nothing is. */
export function terminalOption(
  command: string,
  args: readonly string[],
): TerminalOption | undefined {
  return wrongOption(command, args) ?? missingOption(command, args)
}

/** The first option of a command that allocates a terminal or leaves its container in the background. */
export function wrongOption(command: string, args: readonly string[]): TerminalOption | undefined {
  if (SSH_PROGRAM.test(command))
    return without(TTY, { args, from: 0, name: 'ssh', switches: SSH_SWITCHES })
  const { program = '', verb = '', from = 0 } = containerVerb(command, args) ?? {}
  if (verb === 'compose') return composeOption(args, afterOptions(args, from), program)
  if (!['run', 'exec', 'create'].includes(verb)) return undefined
  const options = { args, from, name: `${program} ${verb}` }
  return without(TTY, options) ?? without(DETACH, options)
}

/** What a container program is asked to do, and where the options of that begin. */
function containerVerb(
  command: string,
  args: readonly string[],
): { readonly program: string; readonly verb: string; readonly from: number } | undefined {
  const program = CONTAINER_PROGRAM.exec(command)?.[1]?.toLowerCase()
  if (program === undefined) return undefined
  const first = afterOptions(args, 0)
  const at = args[first] === 'container' ? first + 1 : first
  return { program, verb: args[at] ?? '', from: at + 1 }
}

/** A container gets its stdin with `-i` alone. */
function missingOption(command: string, args: readonly string[]): TerminalOption | undefined {
  const { program = '', verb = '', from = 0 } = containerVerb(command, args) ?? {}
  if (verb !== 'run' && verb !== 'exec') return undefined
  const { places, end } = optionPlaces(args, from, CONTAINER_SWITCHES)
  const isInteractive = places.some((at) => INTERACTIVE.test(args[at] ?? ''))
  // Without an image it is no command yet.
  if (isInteractive || end >= args.length) return undefined
  return {
    ...{ at: from, count: 0, put: ['-i'] },
    message: `${program} ${verb} gives the server no input without -i, so it ends or never answers.`,
    button: 'Add -i',
  }
}

/** Where a command such as `docker run -i IMAGE` takes its options, and where they end. */
export type ContainerRun = {
  readonly optionsAt: number
  readonly end: number
}

/** Undefined for a command that runs no container. */
export function containerRun(command: string, args: readonly string[]): ContainerRun | undefined {
  const { verb, from } = containerVerb(command, args) ?? {}
  if (verb !== 'run' || from === undefined) return undefined
  return { optionsAt: from, end: afterOptions(args, from) }
}

/** The arguments without the terminal that they ask for. */
export function withoutTerminal<T>(
  args: readonly T[],
  { at, count, put }: TerminalOption,
  make: (text: string) => T,
): T[] {
  return args.toSpliced(at, count, ...put.map(make))
}

/** Compose allocates a terminal unless it is given `-T`. */
function composeOption(
  args: readonly string[],
  at: number,
  program: string,
): TerminalOption | undefined {
  const verb = args[at] ?? ''
  if (verb !== 'run' && verb !== 'exec') return undefined
  const options = args.slice(at + 1, afterOptions(args, at + 1))
  if (options.some((option) => /^(-[a-zA-Z]*T[a-zA-Z]*|--no-TTY(=true)?)$/.test(option)))
    return undefined
  return {
    ...{ at: at + 1, count: 0, put: ['-T'] },
    message: `${program} compose ${verb} opens a terminal, but servers have none. Add -T.`,
    button: 'Add -T',
  }
}

/** Without the first option that has a letter in a row of short ones, or is the long one; undefined where there is none. */
function without(
  { letter, long, message }: RejectedOption,
  { args, from, name, switches = CONTAINER_SWITCHES }: OptionsOf,
): TerminalOption | undefined {
  const isShort = (option = ''): boolean => switches.test(option) && option.includes(letter)
  const { places } = optionPlaces(args, from, switches)
  const at = places.find((place) => isShort(args[place]) || long.test(args[place] ?? ''))
  if (at === undefined) return undefined
  const written = args[at] ?? ''
  const rest = isShort(written) ? written.replaceAll(letter, '') : ''
  return {
    ...{ at, count: 1 },
    put: rest.length > 1 ? [rest] : [],
    message: `${written} of ${name} ${message}`,
    button: rest.length > 1 ? `Replace ${written} with ${rest}` : `Remove ${written}`,
  }
}

/** The place of the first argument behind the options. */
function afterOptions(args: readonly string[], from: number): number {
  return optionPlaces(args, from, CONTAINER_SWITCHES).end
}

/** Where options stand, and where they end. An option without "=" that is no switch takes the next argument as its value. */
function optionPlaces(
  args: readonly string[],
  from: number,
  switches: RegExp,
): { readonly places: readonly number[]; readonly end: number } {
  const places: number[] = []
  let at = from
  while (at < args.length) {
    const option = args[at] ?? ''
    if (option === '--') return { places, end: at + 1 }
    if (!option.startsWith('-') || option === '-') break
    places.push(at)
    const takesNext = option.startsWith('--')
      ? !option.includes('=') && !LONG_SWITCHES.test(option) && !TTY.long.test(option)
      : option.length === 2 && !switches.test(option)
    at += takesNext ? 2 : 1
  }
  return { places, end: at }
}

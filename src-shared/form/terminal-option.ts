/**
 * An option that keeps a server from its stdin, with its replacement: an option that needs a terminal, which no server has, one that runs a
 * container in the background, or a missing `-i`.
 */
export type TerminalOption = {
  /** Index in the arguments. */
  readonly at: number
  /** Number of arguments that `put` replaces. */
  readonly count: 0 | 1
  readonly replacement: readonly string[]
  readonly message: string
  /** Label of the button that applies the change. */
  readonly button: string
}

const CONTAINER_PROGRAM = /(?:^|[\\/])(docker|podman|nerdctl)(?:\.exe)?$/i
const SSH_PROGRAM = /(?:^|[\\/])ssh(?:\.exe)?$/i
/** Short options of run and exec without a value, alone or combined: `-it`. */
const CONTAINER_SWITCHES = /^-[dithPqT]+$/
const SSH_SWITCHES = /^-[46AaCfGgKkMNnqsTtVvXxYy]+$/
const LONG_SWITCHES =
  /^--(?:rm|init|privileged|read-only|publish-all|interactive|detach|quiet|no-healthcheck|oom-kill-disable|no-deps|service-ports|use-aliases|build|no-TTY|remove-orphans|debug|tls|tlsverify|all-resources|compatibility|dry-run|remote)$/
/** Alone or combined with other short options: `-it`, `-di`. */
const INTERACTIVE = /^(?:-[dtq]*i[dtqi]*|--interactive)(?:=true)?$/

/** An option that a server cannot have. */
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

/** Index of a command's first option, and the command's name. */
type OptionsOf = {
  readonly args: readonly string[]
  readonly from: number
  readonly name: string
  readonly switches?: RegExp
}

/** Returns the first change that lets a server read its stdin; undefined if none is needed. */
export function terminalOption(
  command: string,
  args: readonly string[],
): TerminalOption | undefined {
  return rejectedOption(command, args) ?? missingOption(command, args)
}

/** Returns the first option that allocates a terminal or runs a container in the background. */
export function rejectedOption(
  command: string,
  args: readonly string[],
): TerminalOption | undefined {
  if (SSH_PROGRAM.test(command))
    return without(TTY, { args, from: 0, name: 'ssh', switches: SSH_SWITCHES })
  const { program = '', verb = '', from = 0 } = containerVerb(command, args) ?? {}
  if (verb === 'compose') return composeOption(args, afterOptions(args, from), program)
  if (!['run', 'exec', 'create'].includes(verb)) return undefined
  const options = { args, from, name: `${program} ${verb}` }
  return without(TTY, options) ?? without(DETACH, options)
}

/** Returns the subcommand of a container program, and the index of its first option. */
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

/** A container gets its stdin only with `-i`. */
function missingOption(command: string, args: readonly string[]): TerminalOption | undefined {
  const { program = '', verb = '', from = 0 } = containerVerb(command, args) ?? {}
  if (verb !== 'run' && verb !== 'exec') return undefined
  const { places, end } = optionPlaces(args, from, CONTAINER_SWITCHES)
  const isInteractive = places.some((at) => INTERACTIVE.test(args[at] ?? ''))
  // Without an image the command is incomplete.
  if (isInteractive || end >= args.length) return undefined
  return {
    ...{ at: from, count: 0, replacement: ['-i'] },
    message: `${program} ${verb} gives the server no input without -i, so it ends or never answers.`,
    button: 'Add -i',
  }
}

/** Indexes of the first and the last option of a command such as `docker run -i IMAGE`. */
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

/** Returns the arguments without the options that need a terminal. */
export function withoutTerminal<T>(
  args: readonly T[],
  { at, count, replacement }: TerminalOption,
  make: (text: string) => T,
): T[] {
  return args.toSpliced(at, count, ...replacement.map(make))
}

/** Compose allocates a terminal unless `-T` is given. */
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
    ...{ at: at + 1, count: 0, replacement: ['-T'] },
    message: `${program} compose ${verb} opens a terminal, but servers have none. Add -T.`,
    button: 'Add -T',
  }
}

/** Removes the first option with a letter among combined short ones, or the long one; undefined if there is none. */
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
    replacement: rest.length > 1 ? [rest] : [],
    message: `${written} of ${name} ${message}`,
    button: rest.length > 1 ? `Replace ${written} with ${rest}` : `Remove ${written}`,
  }
}

/** Index of the first argument after the options. */
function afterOptions(args: readonly string[], from: number): number {
  return optionPlaces(args, from, CONTAINER_SWITCHES).end
}

/** Returns the indexes of all options, and their end. An option without "=" that is no switch takes the next argument as its value. */
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

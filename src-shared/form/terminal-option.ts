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
const LONG_TTY = /^--tty(?:=true)?$/

/** What is to be changed first so that a server can read its stdin; undefined where nothing is. */
export function terminalOption(
  command: string,
  args: readonly string[],
): TerminalOption | undefined {
  return wrongOption(command, args) ?? missingOption(command, args)
}

/** The first option of a command that allocates a terminal or leaves its container in the background. */
export function wrongOption(command: string, args: readonly string[]): TerminalOption | undefined {
  if (SSH_PROGRAM.test(command)) return ttyIn(args, 0, 'ssh', SSH_SWITCHES)
  const program = CONTAINER_PROGRAM.exec(command)?.[1]?.toLowerCase()
  if (program === undefined) return undefined
  let from = afterOptions(args, 0)
  if (args[from] === 'compose') return composeOption(args, afterOptions(args, from + 1), program)
  if (args[from] === 'container') from += 1
  const verb = args[from] ?? ''
  if (!['run', 'exec', 'create'].includes(verb)) return undefined
  const name = `${program} ${verb}`
  return ttyIn(args, from + 1, name, CONTAINER_SWITCHES) ?? detachIn(args, from + 1, name)
}

/** A container gets its stdin with `-i` alone. */
function missingOption(command: string, args: readonly string[]): TerminalOption | undefined {
  const program = CONTAINER_PROGRAM.exec(command)?.[1]?.toLowerCase()
  if (program === undefined) return undefined
  let verbAt = afterOptions(args, 0)
  if (args[verbAt] === 'container') verbAt += 1
  const verb = args[verbAt] ?? ''
  if (verb !== 'run' && verb !== 'exec') return undefined
  const { places, end } = optionPlaces(args, verbAt + 1, CONTAINER_SWITCHES)
  const isInteractive = places.some((at) => INTERACTIVE.test(args[at] ?? ''))
  // Without an image it is no command yet.
  if (isInteractive || end >= args.length) return undefined
  return {
    at: verbAt + 1,
    count: 0,
    put: ['-i'],
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
  if (!CONTAINER_PROGRAM.test(command)) return undefined
  let verbAt = afterOptions(args, 0)
  if (args[verbAt] === 'container') verbAt += 1
  if (args[verbAt] !== 'run') return undefined
  return { optionsAt: verbAt + 1, end: afterOptions(args, verbAt + 1) }
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
    at: at + 1,
    count: 0,
    put: ['-T'],
    message: `${program} compose ${verb} opens a terminal, but servers have none. Add -T.`,
    button: 'Add -T',
  }
}

function detachIn(
  args: readonly string[],
  from: number,
  program: string,
): TerminalOption | undefined {
  for (const at of optionPlaces(args, from, CONTAINER_SWITCHES).places) {
    const written = args[at] ?? ''
    const isShort = CONTAINER_SWITCHES.test(written) && written.includes('d')
    if (!isShort && !/^--detach(?:=true)?$/.test(written)) continue
    const rest = isShort ? written.replaceAll('d', '') : ''
    return {
      at,
      count: 1,
      put: rest.length > 1 ? [rest] : [],
      message: `${written} of ${program} runs the server in the background, where it gets no input.`,
      button: rest.length > 1 ? `Replace ${written} with ${rest}` : `Remove ${written}`,
    }
  }
  return undefined
}

function ttyIn(
  args: readonly string[],
  from: number,
  program: string,
  switches: RegExp,
): TerminalOption | undefined {
  for (const at of optionPlaces(args, from, switches).places) {
    const written = args[at] ?? ''
    const isShort = switches.test(written) && written.includes('t')
    if (!isShort && !LONG_TTY.test(written)) continue
    const rest = isShort ? written.replaceAll('t', '') : ''
    return {
      at,
      count: 1,
      put: rest === '' || rest === '-' ? [] : [rest],
      message: `${written} of ${program} needs a terminal, but servers have none.`,
      button: rest.length > 1 ? `Replace ${written} with ${rest}` : `Remove ${written}`,
    }
  }
  return undefined
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
      ? !option.includes('=') && !LONG_SWITCHES.test(option) && !LONG_TTY.test(option)
      : option.length === 2 && !switches.test(option)
    at += takesNext ? 2 : 1
  }
  return { places, end: at }
}

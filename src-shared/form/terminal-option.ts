/** An option that needs a terminal, which no server has, and what stands in its place without one. */
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
const LONG_TTY = /^--tty(?:=true)?$/

/** The first option of a command that allocates a terminal; undefined where it has none. */
export function terminalOption(
  command: string,
  args: readonly string[],
): TerminalOption | undefined {
  if (SSH_PROGRAM.test(command)) return ttyIn(args, 0, 'ssh', SSH_SWITCHES)
  const program = CONTAINER_PROGRAM.exec(command)?.[1]?.toLowerCase()
  if (program === undefined) return undefined
  let from = afterOptions(args, 0)
  if (args[from] === 'compose') return composeOption(args, afterOptions(args, from + 1), program)
  if (args[from] === 'container') from += 1
  const verb = args[from] ?? ''
  if (!['run', 'exec', 'create'].includes(verb)) return undefined
  return ttyIn(args, from + 1, `${program} ${verb}`, CONTAINER_SWITCHES)
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

/** Programs that run what their arguments name. */
const RUNNERS = ['npx', 'bunx', 'pnpm', 'uvx', 'pipx', 'dnx']

const CONTAINERS = ['docker', 'podman']

const RUNTIMES = ['node', 'deno', 'bun']

/** A command line without what says nothing of the server: how the program is found, a yes, a version. */
export function commandWords([command = '', ...args]: readonly string[]): string[] {
  const program = programOf(command)
  if (program === 'cmd' && /^\/c$/i.test(args[0] ?? '')) return commandWords(args.slice(1))
  if (program === 'npx' || program === 'bunx') {
    const spoken = args.filter((text) => !/^(-y|--yes)$/.test(text))
    return [program, ...ofPackage(spoken, withoutNodeVersion)]
  }
  if (program === 'uvx') return [program, ...ofPackage(args, withoutPythonVersion)]
  if (CONTAINERS.includes(program))
    return [program, ...args.filter((text) => !/^(-i|--interactive|--rm|-t|-it)$/.test(text))]
  return [program, ...args]
}

/** Whether such a command line runs the same in every folder: a package of a registry that is given no path within one. */
export function runsAnywhere([program = '', ...args]: readonly string[]): boolean {
  // An image has slashes in its name.
  if (CONTAINERS.includes(program)) return !args.some((text) => valueOf(text).startsWith('.'))
  // Without it, a script of the folder runs.
  if (program === 'pnpm' && args[0] !== 'dlx') return false
  return RUNNERS.includes(program) && !args.some(isWithinFolder)
}

/** What every system has once is named by its last part, as it is found by that too; another program by its whole path. */
function programOf(command: string): string {
  const whole = command.trim().replace(/\.(exe|cmd|bat)$/i, '')
  const last = whole.split(/[\\/]/).at(-1)?.toLowerCase() ?? ''
  return [...RUNNERS, ...CONTAINERS, ...RUNTIMES, 'cmd'].includes(last) ? last : whole
}

/** The package is the first argument that is no option. */
function ofPackage(args: readonly string[], change: (text: string) => string): string[] {
  const at = args.findIndex((text) => !text.startsWith('-'))
  return args.map((text, index) => (index === at ? change(text) : text))
}

function withoutNodeVersion(text: string): string {
  const at = text.lastIndexOf('@')
  const isOfScope = at <= 0 || at < text.lastIndexOf('/')
  return isOfScope ? text : text.slice(0, at)
}

function withoutPythonVersion(text: string): string {
  const from = Math.max(text.lastIndexOf('/') + 1, text.lastIndexOf('@'))
  const length = text.slice(from).search(/[@=<>~!]/)
  return length < 0 ? text : text.slice(0, from + length)
}

/** The value of `--option=value`; the whole text of any other argument. */
function valueOf(text: string): string {
  return text.startsWith('-') ? text.slice(text.indexOf('=') + 1) : text
}

/** It looks like a path that begins in the folder: it has a part below, or the end of a file's name. */
function isWithinFolder(text: string): boolean {
  const value = valueOf(text)
  if (/^(?:[/\\~]|[a-z]:[/\\]|[a-z][a-z0-9+.-]{0,20}:\/\/)/i.test(value)) return false
  if (value.startsWith('.')) return true
  const name = value.startsWith('@') ? value.slice(value.indexOf('/') + 1) : value
  return /[/\\]/.test(name) || /\.[a-z]\w{0,5}$/i.test(name)
}

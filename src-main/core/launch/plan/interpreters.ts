const ANY_PROGRAM = new Set([
  ...['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'mksh', 'fish', 'csh', 'tcsh', 'rbash', 'elvish'],
  ...['nu', 'xonsh', 'busybox', 'toybox', 'cmd', 'command', 'powershell', 'pwsh', 'osh', 'yash'],
  // They run scripts, or any program of the system, by what they are given.
  ...['wscript', 'cscript', 'mshta', 'rundll32', 'regsvr32', 'wsl', 'osascript', 'expect', 'eval'],
  ...['script', 'ssh', 'su', 'awk', 'gawk', 'mawk', 'nawk'],
])

/** Whether a program is a shell or its like, which runs what its arguments name; `name` as `programName` has it. */
export function runsAnyProgram(name: string): boolean {
  return ANY_PROGRAM.has(name)
}

/** The name of a program without its folder, its ending and its version, in small letters. */
export function programName(command: string): string {
  const base = command.split(/[\\/]/).at(-1) ?? command
  const name = base.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '')
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

/** Interpreters that take code as an argument. */
export const INLINE_CODE: ReadonlyMap<string, InlineCode> = new Map([
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
  // It makes several words of the value.
  ['env', { code: /^-(?:[a-zA-Z0]*S|-split-string(?:=|$))/ }],
  ['guile', { code: /^-[cel]/ }],
  ['java', { code: /^-(?:javaagent|agentlib|agentpath|Xbootclasspath)/ }],
])

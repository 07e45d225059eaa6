import type { PlannedArgument } from './launch-plan'

const EXACT = new Set([
  ...['PATH', 'PATHEXT', 'COMSPEC', 'SHELL', 'HOME', 'USERPROFILE', 'APPDATA', 'XDG_CONFIG_HOME'],
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED'],
  ...['PYTHONPATH', 'PYTHONHOME', 'PYTHONSTARTUP', 'PYTHONINSPECT', 'PYTHONBREAKPOINT'],
  ...['PYTHONUSERBASE', 'PYTHONEXECUTABLE', 'PYTHONWARNINGS', 'BASH_ENV', 'ENV', 'GCONV_PATH'],
  ...['PERL5OPT', 'PERL5LIB', 'RUBYOPT', 'RUBYLIB', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_EXEC_PATH'],
  ...['JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'JDK_JAVA_OPTIONS', 'CLASSPATH', 'EDITOR', 'PAGER'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
])
const FAMILIES =
  /^(LD|DYLD|NPM_CONFIG|UV|PIP|DOCKER|PODMAN|DOTNET|CORECLR|COR|NUGET|CARGO|RUSTUP|COREPACK|YARN)_/

/** True for a variable that the system, a runner or a language reads before the server does: it can change which code runs. */
export function decidesCode(name: string): boolean {
  const upper = name.toUpperCase()
  return EXACT.has(upper) || FAMILIES.test(upper)
}

/** Where packages and their caches lie, beside what decides code. */
const PLACES = /^(XDG_\w+|TMPDIR|TEMP|TMP|NO_PROXY|LOCALAPPDATA)$/

/** True for a variable that a runner needs to fetch the same package into the same place as the start does. */
export function decidesDownload(name: string): boolean {
  return decidesCode(name) || PLACES.test(name.toUpperCase())
}

const HARMLESS = new Set(['-y', '--yes', '-i', '--interactive', '-it', '--rm', '--init', 'run'])
/** Options whose value is the package itself, or the name of a variable of the entry. */
const NAMING = new Set(['-p', '--package', '--from', '-e', '--env'])
const MOST_NAMED = 6

/**
 * Says so when an entry gives its runner options beside those that Patchbay would give: `--call` of npx
 * and `--volume` of docker decide what runs and what it may reach. `isOwn` knows the package and the
 * variables of the entry.
 */
export function runnerOptionWarnings(
  runner: string,
  options: readonly PlannedArgument[],
  isOwn: (value: string) => boolean,
): string[] {
  const others = options.filter(({ value, joined }, index) => {
    if (joined || HARMLESS.has(value) || isOwn(value)) return false
    return !(NAMING.has(value) && isOwn(options[index + 1]?.value ?? ''))
  })
  if (others.length === 0) return []
  const names = [...new Set(others.map(({ shown }) => shown.split('=')[0] ?? shown))]
  const told = names.slice(0, MOST_NAMED).join(', ')
  const rest = names.length > MOST_NAMED ? ' and more' : ''
  return [
    `Options for ${runner} (${told}${rest}) can change which code runs and what it can access.`,
  ]
}

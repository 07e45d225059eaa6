import type { PlannedArgument } from './launch-plan'

const EXACT = new Set([
  // The system and its shells.
  ...['PATH', 'PATHEXT', 'COMSPEC', 'SHELL', 'HOME', 'USERPROFILE', 'APPDATA', 'XDG_CONFIG_HOME'],
  ...['HOMEDRIVE', 'HOMEPATH', 'SYSTEMROOT', 'WINDIR', 'XDG_CONFIG_DIRS', 'XDG_DATA_DIRS'],
  ...['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'PS4', 'PROMPT_COMMAND', 'IFS', 'ZDOTDIR'],
  ...['FPATH', 'CDPATH', 'GCONV_PATH', 'LOCPATH', 'GLIBC_TUNABLES', 'TERMINFO', 'HOSTALIASES'],
  ...['PSMODULEPATH', 'PSEXECUTIONPOLICYPREFERENCE', 'LIBRARY_PATH', 'CPATH', 'CC', 'CXX'],
  // Programs that other programs start.
  ...['EDITOR', 'VISUAL', 'PAGER', 'MANPAGER', 'BROWSER', 'LESSOPEN', 'LESSCLOSE', 'RSYNC_RSH'],
  ...['SSH_ASKPASS', 'SUDO_ASKPASS', 'CVS_RSH', 'TAR_OPTIONS', 'MAKEFLAGS', 'MAKEFILES'],
  ...['PUPPETEER_EXECUTABLE_PATH', 'CHROME_PATH', 'CHROME_BIN', 'CLOUDSDK_PYTHON', 'NPM_EXECPATH'],
  // Languages.
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED'],
  ...['NODE_REPL_EXTERNAL_MODULE', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE', 'NODE_ICU_DATA'],
  ...['NODE_PRESERVE_SYMLINKS', 'NODE_REDIRECT_WARNINGS', 'ELECTRON_RUN_AS_NODE', 'N_PREFIX'],
  ...['NPM_NODE_EXECPATH', 'PNPM_HOME', 'VIRTUAL_ENV', 'RUBYOPT', 'RUBYLIB', 'RUBYPATH'],
  ...['RUBYSHELL', 'PHPRC', 'PHP_INI_SCAN_DIR', 'CLASSPATH', '_JAVA_OPTIONS', 'JAVA_HOME'],
  ...['JAVA_OPTS', 'MAVEN_OPTS', 'MAVEN_ARGS', 'SBT_OPTS', 'GO111MODULE', 'ELIXIR_ERL_OPTIONS'],
  // Proxies and trusted certificates.
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'FTP_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'CURL_HOME', 'SSLKEYLOGFILE', 'WGETRC', 'NETRC'],
])
/** Prefixes of variables that the system, a runner or a language reads. */
const FAMILIES = new RegExp(
  `^(?:${[
    '(?:LD|DYLD|BASH_FUNC|NPM_CONFIG|PNPM_CONFIG|YARN|COREPACK|BUN|DENO|VOLTA|NVM|FNM)_',
    '(?:ASDF|MISE|TS_NODE|TSX|UV|PIP|PIPX|PIPENV|POETRY|PDM|HATCH|RYE|PIXI|CONDA|MAMBA)_',
    '(?:PYENV|RBENV|GEM|BUNDLE|BUNDLER|COMPOSER|DOCKER|PODMAN|CONTAINERS|BUILDKIT)_',
    '(?:DOTNET|CORECLR|COR|COMPLUS|MONO|NUGET|MSBUILD|CARGO|RUSTUP|RUSTC|RUSTDOC|CGO)_',
    '(?:JAVA_TOOL|JDK_JAVA|JBANG|GRADLE|KOTLIN|SCALA|JULIA|ERL|R_LIBS|R_PROFILE|R_ENVIRON)_',
    '(?:OPENSSL|GNUTLS|GIO|GTK|GDK_PIXBUF|GST|GI_TYPELIB|QT|QML|QML2|VK|OCL_ICD|MAGICK)_',
    'GO(?:FLAGS|PROXY|PATH|ROOT|ENV|TOOLCHAIN|BIN|CACHE|MODCACHE|TOOLDIR|EXPERIMENT|VCS)$',
    'GO(?:WORK|INSECURE|PRIVATE|NOPROXY|NOSUMDB|SUMDB|NOSUMCHECK|CACHEPROG|AUTH|TMPDIR)$',
    'GIT_(?:CONFIG|SSH|EXEC|ASKPASS|EDITOR|SEQUENCE|PAGER|PROXY|EXTERNAL|TEMPLATE|DIR$)',
    'GIT_(?:WORK|COMMON|OBJECT|ALTERNATE|INDEX|ATTR|ALLOW|PROTOCOL|SSL|TRACE|NAMESPACE)',
    'GIT_(?:CEILING|DISCOVERY|DEFAULT_HASH|TERMINAL_PROMPT|REDIRECT)',
    'PERL(?:5|LIB$|IO$|_)',
    'LUA_(?:INIT|PATH|CPATH)',
    'R_(?:HOME|LIBS|PROFILE|ENVIRON|DEFAULT_PACKAGES|STARTUP)',
    '(?:RUSTFLAGS|RUSTC|RUSTDOCFLAGS|RUSTUP)$',
    'PKG_CONFIG',
  ].join('|')})`,
)
/** Python reads many variables; the excluded ones only affect its output, and are common in entries. */
const PYTHON =
  /^PYTHON(?!(?:UNBUFFERED|IOENCODING|UTF8|LEGACYWINDOWS\w+|DONTWRITEBYTECODE|HASHSEED|NODEBUGRANGES|FAULTHANDLER|COERCECLOCALE|OPTIMIZE|DEBUG|VERBOSE|DEVMODE|ASYNCIODEBUG|TRACEMALLOC|PROFILEIMPORTTIME|INTMAXSTRDIGITS|MALLOC\w*|_COLORS|WARNDEFAULTENCODING)$)[A-Z]/

/** Whether the system, a runner or a language reads a variable before the server does, so that it can change which code runs. */
export function decidesCode(name: string): boolean {
  const upper = name.toUpperCase()
  return EXACT.has(upper) || FAMILIES.test(upper) || PYTHON.test(upper)
}

/** Locations of packages and caches, in addition to the variables that decide code. */
const PLACES = /^(XDG_\w+|TMPDIR|TEMP|TMP|NO_PROXY|LOCALAPPDATA)$/

/** Whether a runner needs a variable to fetch the same package into the same place as the start. */
export function decidesDownload(name: string): boolean {
  return decidesCode(name) || PLACES.test(name.toUpperCase())
}

const HARMLESS = new Set(['-y', '--yes', '-i', '--interactive', '-it', '--rm', '--init', 'run'])
/** Options whose value is the package itself, or a variable of the entry. */
const NAMING = new Set(['-p', '--package', '--from', '-e', '--env'])
const MAX_NAMED = 6

/**
 * Warns if an entry passes its runner options that Patchbay wouldn't. `--call` of npx and `--volume` of docker, for example, decide what
 * runs and what it can access. `isOwn` recognizes the package and the entry's variables.
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
  const named = names.slice(0, MAX_NAMED).join(', ')
  const rest = names.length > MAX_NAMED ? ' and more' : ''
  return [
    `Options for ${runner} (${named}${rest}) can change which code runs and what it can access.`,
  ]
}

import { cleanEnvironment } from './clean-environment'

/**
 * Variables of Patchbay's own environment that a server may see, in upper case: where the account, its
 * language and its programs are, how the network is reached, and where runners keep their caches and
 * indexes. Everything else (tokens of other programs above all) stays out.
 */
const INHERITED = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'LANGUAGE', 'TZ'],
  ...['TMPDIR', 'TEMP', 'TMP', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'FTP_PROXY'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['NPM_CONFIG_REGISTRY', 'NPM_CONFIG_CACHE', 'NPM_CONFIG_USERCONFIG'],
  ...['UV_CACHE_DIR', 'UV_DEFAULT_INDEX', 'UV_INDEX_URL', 'UV_TOOL_DIR', 'UV_PYTHON_INSTALL_DIR'],
  ...['DOTNET_ROOT', 'DOTNET_CLI_HOME', 'NUGET_PACKAGES'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA'],
  ...['USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'OS'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
])
const FAMILIES = /^(LC|XDG|DOCKER)_|^PROGRAM(DATA|FILES|W6432)/
/** A family must not bring along what was named as a secret. */
const SECRET_LIKE = /PASS|TOKEN|SECRET|CREDENTIAL|AUTH|API_?KEY/

/** Where the variables of a child come from. */
export type EnvironmentSource = {
  readonly own: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The PATH of the login shell: an app that was started from a dock has a bare one. */
  readonly loginPath?: string | undefined
  /** Whether Patchbay was started from a shell: then its own PATH comes before the login shell's. */
  readonly isFromShell?: boolean | undefined
  /** Folders that come first on the PATH. */
  readonly folders?: readonly string[]
  /** How the network is reached, over what is inherited; one that is undefined is taken away. */
  readonly network?: Readonly<Record<string, string | undefined>>
}

/**
 * The whole environment of a child: the inherited variables of `own` without those of a wrapper, its PATH led by `folders` and the
 * login shell's, those of the network, and `planned` over all. On Windows, where case does not count, a name has one spelling.
 */
export function childEnvironment(
  source: EnvironmentSource,
  planned: Readonly<Record<string, string>>,
): Record<string, string> {
  const { own, platform, loginPath, folders = [], network = {} } = source
  const inherited = Object.entries(cleanEnvironment(own, platform)).filter(([name]) =>
    isInherited(name),
  )
  const env = withoutDoubles(withNetwork(inherited, network, planned), platform)
  const ownPath = valueOf(env, 'PATH')
  const known = source.isFromShell === true ? [ownPath, loginPath] : [loginPath, ownPath]
  const path = joinPaths([...folders, ...known], platform)
  if (path !== '') withDefined(env, 'PATH', path)
  return Object.fromEntries(withoutDoubles([...env, ...Object.entries(planned)], platform))
}

/** What the plan sets is set by it alone, also where it spells a name in the other case. */
function withNetwork(
  inherited: Variables,
  network: NonNullable<EnvironmentSource['network']>,
  planned: Readonly<Record<string, string>>,
): Variables {
  const upper = (variables: object): Set<string> =>
    new Set(Object.keys(variables).map((name) => name.toUpperCase()))
  const [named, set] = [upper(network), upper(planned)]
  const added = Object.entries(network).flatMap(([name, value]): Variables =>
    value === undefined || set.has(name.toUpperCase()) ? [] : [[name, value]],
  )
  return [...inherited.filter(([name]) => !named.has(name.toUpperCase())), ...added]
}

/** The PATH of an environment, whatever its spelling. */
export function pathOf(env: Readonly<Record<string, string>>): string {
  return valueOf(Object.entries(env), 'PATH') ?? ''
}

function isInherited(name: string): boolean {
  const upper = name.toUpperCase()
  return INHERITED.has(upper) || (FAMILIES.test(upper) && !SECRET_LIKE.test(upper))
}

type Variables = [name: string, value: string][]

function valueOf(env: Readonly<Variables>, upperName: string): string | undefined {
  const exact = env.find(([name]) => name === upperName)
  return (exact ?? env.find(([name]) => name.toUpperCase() === upperName))?.[1]
}

function withDefined(env: Variables, upperName: string, value: string): void {
  const exact = env.find(([name]) => name === upperName)
  if (exact) exact[1] = value
  else env.push([upperName, value])
}

/** The last value of each name wins; on Windows also over other spellings, which would both be passed on. */
function withoutDoubles(env: Variables, platform: NodeJS.Platform): Variables {
  const byName = new Map<string, [string, string]>()
  for (const [name, value] of env) {
    const key = platform === 'win32' ? name.toUpperCase() : name
    byName.set(key, [platform === 'win32' && key === 'PATH' ? key : name, value])
  }
  return [...byName.values()]
}

function joinPaths(paths: readonly (string | undefined)[], platform: NodeJS.Platform): string {
  const delimiter = platform === 'win32' ? ';' : ':'
  const folders = paths.flatMap((path) => path?.split(delimiter) ?? [])
  return [...new Set(folders.filter((folder) => folder !== ''))].join(delimiter)
}

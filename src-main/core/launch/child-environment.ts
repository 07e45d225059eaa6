/**
 * Variables of Patchbay's own environment that a server may see: where the account, its language and
 * its programs are, how the network is reached, and where runners keep their caches. Everything else
 * (tokens of other programs above all) stays out.
 */
const INHERITED = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
  ...['NPM_CONFIG_REGISTRY', 'NPM_CONFIG_CACHE', 'NPM_CONFIG_USERCONFIG'],
  ...['UV_CACHE_DIR', 'UV_DEFAULT_INDEX', 'UV_INDEX_URL', 'UV_TOOL_DIR', 'UV_PYTHON_INSTALL_DIR'],
  ...['DOCKER_HOST', 'DOCKER_CONFIG', 'DOCKER_CONTEXT', 'DOTNET_ROOT', 'NUGET_PACKAGES'],
  ...[
    'APPDATA',
    'LOCALAPPDATA',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'PROGRAMW6432',
  ],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE'],
  ...['USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'OS'],
])

/**
 * The whole environment of a child: the inherited variables of `own`, the login shell's PATH when it
 * is known (an app started from a dock has a bare one), and the launch plan's variables over all.
 */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  planned: Readonly<Record<string, string>>,
  loginPath?: string,
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    const upper = name.toUpperCase()
    if (value !== undefined && (INHERITED.has(upper) || upper.startsWith('LC_'))) env[name] = value
  }
  if (loginPath !== undefined) env.PATH = joinPaths(loginPath, env.PATH)
  return { ...env, ...planned }
}

function joinPaths(first: string, second: string | undefined): string {
  const folders = [...first.split(':'), ...(second ?? '').split(':')].filter(
    (folder) => folder !== '',
  )
  return [...new Set(folders)].join(':')
}

type Environment = Readonly<Record<string, string | undefined>>

/** Variables that Electron, Chromium and their tools set for themselves. */
const ELECTRON =
  /^(ELECTRON_.*|CHROME_(DESKTOP|WRAPPER|CRASHPAD_PIPE_NAME)|CRASHPAD_HANDLER_PID|VSCODE_INSPECTOR_OPTIONS)$/
/** Variables in which a wrapper describes itself. */
const WRAPPER = /^(APPIMAGE|APPDIR|APPRUN|SNAP|FLATPAK)(_|$)|^(ARGV0|OWD|BAMF_DESKTOP_FILE_HINT)$/
/** A wrapper's settings for its own window, which name no path. */
const WINDOW =
  /^(GDK_BACKEND|GTK_THEME|GTK_(DATA|EXE)_PREFIX|GIO_LAUNCHED_DESKTOP_FILE(_PID)?|GSETTINGS_BACKEND)$/
/** Variables in which wrappers save an original value; the group is the variable's name. */
const SAVED = [
  /^APPRUN_ORIGINAL_(.+)$/,
  /^(.+)_VSCODE_SNAP_ORIG$/,
  /^ORIGINAL_(XDG_CURRENT_DESKTOP)$/,
  /^(LD_LIBRARY_PATH)_ORIG$/,
]
/** Saved values under names that other programs may use, too. */
const SAVED_IN_WRAPPER = [/^ORIGINAL_(.+)$/, /^(.+)_ORIG$/]
/** Lists in which a relative entry belongs to a wrapper, or means the current folder. */
const ABSOLUTE_LISTS = /^(XDG_(DATA|CONFIG)_DIRS|LD_LIBRARY_PATH)$/
/** Folders that never belong to a wrapper. */
const SYSTEM_FOLDERS = new Set([
  ...['/usr', '/usr/local', '/opt', '/home', '/root', '/tmp', '/var', '/app'],
])

/**
 * Removes what AppImage, snap, Flatpak or Electron added for their app: their own variables, and list entries that lead into their folders.
 * Changed variables get their saved value back.
 */
export function cleanEnvironment(
  env: Environment,
  platform: NodeJS.Platform,
): Record<string, string> {
  const folders = platform === 'linux' ? wrapperFolders(env) : []
  const patterns = folders.length > 0 ? [...SAVED, ...SAVED_IN_WRAPPER] : SAVED
  const { values, holders } = savedValues(env, patterns)
  const added = [
    ELECTRON,
    ...(folders.length > 0 ? [WRAPPER, WINDOW] : []),
    // VS Code's debugger loads itself into every Node process.
    ...(env.VSCODE_INSPECTOR_OPTIONS === undefined ? [] : [/^NODE_OPTIONS$/]),
  ]
  const isAdded = (name: string): boolean => {
    // Names are case-insensitive on Windows.
    const known = platform === 'win32' ? name.toUpperCase() : name
    return holders.has(name) || added.some((pattern) => pattern.test(known))
  }
  const remaining = Object.entries(env).filter(([name]) => !isAdded(name))
  return Object.fromEntries(
    Object.entries({ ...Object.fromEntries(remaining), ...values }).flatMap(([name, value]) => {
      const text = value === undefined ? undefined : withoutFolders(name, value, folders)
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
}

/** Returns the folders that belong to a wrapper only. */
function wrapperFolders({ APPDIR, SNAP, FLATPAK_ID, HOME = '' }: Environment): string[] {
  const folders: string[] = []
  const appDir = APPDIR?.replace(/\/+$/, '') ?? ''
  const isOfOthers = SYSTEM_FOLDERS.has(appDir) || isIn(HOME, appDir)
  if (/^\/[^/]/.test(appDir) && !isOfOthers) folders.push(appDir)
  if (SNAP !== undefined && /^(\/var\/lib\/snapd)?\/snap\/[^/]+/.test(SNAP))
    folders.push(SNAP.replace(/\/+$/, ''), '/var/lib/snapd/lib', '/var/lib/snapd/void')
  if (FLATPAK_ID !== undefined) folders.push('/app')
  return folders
}

/** Returns variables as they were before a wrapper, by name (undefined if unset), and the names of the variables that saved them. */
function savedValues(
  env: Environment,
  patterns: readonly RegExp[],
): { readonly values: Record<string, string | undefined>; readonly holders: ReadonlySet<string> } {
  const values: Record<string, string | undefined> = {}
  const holders = new Set<string>()
  for (const [holder, saved] of Object.entries(env)) {
    const name = patterns
      .map((pattern) => pattern.exec(holder)?.[1])
      .find((one) => one !== undefined)
    if (name === undefined || saved === undefined) continue
    holders.add(holder)
    // A value changed after the wrapper set it isn't the wrapper's.
    const set = env[`APPRUN_STARTUP_${name}`]
    if (set !== undefined && set !== env[name]) continue
    values[name] = saved === '' ? undefined : saved
  }
  return { values, holders }
}

/** Removes list entries that lead into a folder; undefined if nothing is left. */
function withoutFolders(
  name: string,
  value: string,
  folders: readonly string[],
): string | undefined {
  if (folders.length === 0) return value
  const entries = value.split(':')
  const remaining = entries.filter((entry) => {
    if (folders.some((folder) => isIn(entry, folder))) return false
    return !ABSOLUTE_LISTS.test(name) || entry.startsWith('/')
  })
  if (remaining.length === entries.length) return isFree(value, folders) ? value : undefined
  const text = remaining.join(':')
  return remaining.every((entry) => entry === '') || !isFree(text, folders) ? undefined : text
}

/** Whether a text has no path into a folder, such as an option that names a file. */
function isFree(text: string, folders: readonly string[]): boolean {
  return !folders.some((folder) => folder !== '/app' && text.includes(`${folder}/`))
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

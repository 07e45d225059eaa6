type Environment = Readonly<Record<string, string | undefined>>

/** Variables that Electron, Chromium and the tools around them set for themselves. */
const ELECTRON =
  /^(ELECTRON_.*|CHROME_(DESKTOP|WRAPPER|CRASHPAD_PIPE_NAME)|CRASHPAD_HANDLER_PID|VSCODE_INSPECTOR_OPTIONS)$/
/** Variables that a wrapper says of itself. */
const WRAPPER = /^(APPIMAGE|APPDIR|APPRUN|SNAP|FLATPAK)(_|$)|^(ARGV0|OWD|BAMF_DESKTOP_FILE_HINT)$/
/** Settings of a wrapper for its own window, which name no path. */
const WINDOW =
  /^(GDK_BACKEND|GTK_THEME|GTK_(DATA|EXE)_PREFIX|GIO_LAUNCHED_DESKTOP_FILE(_PID)?|GSETTINGS_BACKEND)$/
/** Where wrappers keep what a variable was before them; the group is the name of the variable. */
const SAVED = [
  /^APPRUN_ORIGINAL_(.+)$/,
  /^(.+)_VSCODE_SNAP_ORIG$/,
  /^ORIGINAL_(XDG_CURRENT_DESKTOP)$/,
  /^(LD_LIBRARY_PATH)_ORIG$/,
]
/** The same, spelled so that anybody's variable could be called like this. */
const SAVED_IN_WRAPPER = [/^ORIGINAL_(.+)$/, /^(.+)_ORIG$/]
/** Of these, an entry that is no absolute path is a wrapper's, or means the folder that a program runs in. */
const ABSOLUTE_LISTS = /^(XDG_(DATA|CONFIG)_DIRS|LD_LIBRARY_PATH)$/
/** Folders that no wrapper is in. */
const SYSTEM_FOLDERS = new Set([
  ...['/usr', '/usr/local', '/opt', '/home', '/root', '/tmp', '/var', '/app'],
])

/**
 * The environment without what AppImage, snap, Flatpak or Electron added for the app that they run: their own
 * variables, entries of lists that lead into them, and what they changed, which has its value of before where they saved it.
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
    // The debugger of VS Code loads itself into each Node.
    ...(env.VSCODE_INSPECTOR_OPTIONS === undefined ? [] : [/^NODE_OPTIONS$/]),
  ]
  const isAdded = (name: string): boolean => {
    // On Windows the case of a name does not count.
    const known = platform === 'win32' ? name.toUpperCase() : name
    return holders.has(name) || added.some((pattern) => pattern.test(known))
  }
  const kept = Object.entries(env).filter(([name]) => !isAdded(name))
  return Object.fromEntries(
    Object.entries({ ...Object.fromEntries(kept), ...values }).flatMap(([name, value]) => {
      const text = value === undefined ? undefined : withoutFolders(name, value, folders)
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
}

/** The folders that are a wrapper's alone. */
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

/** What variables were before a wrapper, by name: undefined where they were not set; and the names of those that say so. */
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
    // What changed since the wrapper set it is somebody else's.
    const set = env[`APPRUN_STARTUP_${name}`]
    if (set !== undefined && set !== env[name]) continue
    values[name] = saved === '' ? undefined : saved
  }
  return { values, holders }
}

/** The value without the entries that lead into a folder; undefined where nothing else is left of it. */
function withoutFolders(
  name: string,
  value: string,
  folders: readonly string[],
): string | undefined {
  if (folders.length === 0) return value
  const entries = value.split(':')
  const kept = entries.filter((entry) => {
    if (folders.some((folder) => isIn(entry, folder))) return false
    return !ABSOLUTE_LISTS.test(name) || entry.startsWith('/')
  })
  if (kept.length === entries.length) return isFree(value, folders) ? value : undefined
  const text = kept.join(':')
  return kept.every((entry) => entry === '') || !isFree(text, folders) ? undefined : text
}

/** Whether no path into a folder is anywhere in a text, such as an option that names a file. */
function isFree(text: string, folders: readonly string[]): boolean {
  return !folders.some((folder) => folder !== '/app' && text.includes(`${folder}/`))
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

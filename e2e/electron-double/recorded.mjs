import { strict } from './strict.mjs'

/** Functions with effects outside the app. The tests' recorder (e2e/ways-in/recorder.cjs) replaces them before the app's first line. */
function outward(name, members) {
  const refuse = (member) => () => {
    throw new Error(`electron double: ${name}.${member} reaches out of the app`)
  }
  return strict(name, Object.fromEntries(members.map((member) => [member, refuse(member)])))
}

export const shell = outward('shell', ['openExternal', 'openPath', 'showItemInFolder'])

export const clipboard = outward('clipboard', ['writeText'])

export const dialog = outward('dialog', [
  ...['showOpenDialog', 'showSaveDialog', 'showMessageBox', 'showErrorBox'],
])

// Final changes to an unpacked package before it is signed: Electron's fuses, and on Linux the command `patchbay`.
import { chmodSync, copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from '../toolchain.mjs'

/** The halves of a universal app are signed and fused once they are merged. */
const MAC_HALF = /-temp$/

export async function afterPack(context, fuses) {
  const { appOutDir, electronPlatformName, packager } = context
  if (electronPlatformName === 'darwin' && MAC_HALF.test(appOutDir)) return
  await packager.addElectronFuses(context, fuses)
  if (electronPlatformName === 'linux') addCommand(appOutDir)
}

/** `patchbay` becomes a script that opens the app or runs a command, also from the PATH and an AppImage. */
function addCommand(folder) {
  renameSync(join(folder, 'patchbay'), join(folder, 'patchbay-desktop'))
  copyFileSync(join(ROOT, 'resources/bin/linux/patchbay'), join(folder, 'patchbay'))
  chmodSync(join(folder, 'patchbay'), 0o755)
}

import { homedir } from 'node:os'

import type { AppInfo } from '../../../src-shared/domain/state/app-state'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { LoginPath } from '../../core/launch/runners/login-path'
import { RunnerDoctor } from '../../core/launch/runners/runner-doctor'
import type { NetworkChoice } from '../../core/network-choice/network-choice'
import { OWN_CHECKS } from '../../core/process/orphans/ledger-notices'
import type { OrphanLedger } from '../../core/process/orphans/orphan-ledger'
import type { PrivateFolders } from '../../core/process/spawn/private-folders'

/** Finds and mends the runners of this computer; the PATH of the login shell is disposed by who opened it. */
export function openRunners(options: {
  readonly wayIn: AppInfo['wayIn']
  readonly ledger: OrphanLedger
  readonly folders: PrivateFolders
  readonly settings: () => Settings
  readonly choice: NetworkChoice
}): { readonly doctor: RunnerDoctor; readonly loginPath: LoginPath } {
  const { wayIn, ledger, folders, settings, choice } = options
  // Started from a terminal, which has the shell's PATH; a dock and a menu have not.
  const isFromShell = wayIn === 'browser'
  const place = { platform: process.platform, home: homedir(), environment: process.env }
  const setupKeeper = ledger.sparingKeeperOf(OWN_CHECKS)
  const loginPath = new LoginPath({ ...place, keeper: setupKeeper })
  if (!isFromShell) void loginPath.read()
  const doctor = new RunnerDoctor({
    ...place,
    loginPath,
    isFromShell,
    isRoot: process.getuid?.() === 0,
    folders,
    settings,
    network: (reader) => choice.variablesFor(reader),
    keeper: ledger.keeperOf(OWN_CHECKS),
    setupKeeper,
  })
  return { doctor, loginPath }
}

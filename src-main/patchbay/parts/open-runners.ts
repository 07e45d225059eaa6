import { homedir, userInfo } from 'node:os'

import type { AppInfo } from '../../../src-shared/domain/state/app-state'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { ComputerVariables } from '../../core/launch/environment/computer-variables'
import { LoginShell } from '../../core/launch/environment/login-shell'
import { RunnerDoctor } from '../../core/launch/runners/runner-doctor'
import type { NetworkChoice } from '../../core/network-choice/network-choice'
import { OWN_CHECKS } from '../../core/process/orphans/ledger-notices'
import type { OrphanLedger } from '../../core/process/orphans/orphan-ledger'
import type { PrivateFolders } from '../../core/process/spawn/private-folders'

/** Finds and mends the runners of this computer; the login shell is disposed by who opened it. */
export function openRunners(options: {
  readonly wayIn: AppInfo['wayIn']
  readonly ledger: OrphanLedger
  readonly folders: PrivateFolders
  readonly settings: () => Settings
  readonly choice: NetworkChoice
}): {
  readonly doctor: RunnerDoctor
  readonly loginShell: LoginShell
  readonly variables: ComputerVariables
} {
  const { wayIn, ledger, folders, settings, choice } = options
  // Started from a terminal, which has the shell's PATH; a dock and a menu have not.
  const isFromShell = wayIn === 'browser'
  const place = { platform: process.platform, home: homedir(), environment: process.env }
  const setupKeeper = ledger.sparingKeeperOf(OWN_CHECKS)
  const loginShell = new LoginShell({ ...place, accountShell: accountShell(), keeper: setupKeeper })
  if (!isFromShell) void loginShell.read()
  const doctor = new RunnerDoctor({
    ...place,
    loginShell,
    isFromShell,
    isRoot: process.getuid?.() === 0,
    folders,
    settings,
    network: (reader) => choice.variablesFor(reader),
    keeper: ledger.keeperOf(OWN_CHECKS),
    setupKeeper,
  })
  return { doctor, loginShell, variables: new ComputerVariables(process.env, loginShell) }
}

/** The shell that the system has for this account; undefined where it knows none, as in some containers. */
function accountShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined
  } catch {
    return undefined // an account without an entry
  }
}

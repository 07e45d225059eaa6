import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

import { attempt } from '../../../src-shared/domain/attempt'
import { ComputerVariables } from '../../core/launch/environment/computer-variables'
import { LoginShell } from '../../core/launch/environment/login-shell'
import { childEnvironment } from '../../core/launch/runners/command-finder'
import { RunnerDoctor } from '../../core/launch/runners/runner-doctor'
import { background } from '../../core/lifecycle/background'
import type { NetworkChoice } from '../../core/network-choice/network-choice'
import { noticeOf, VET_OWNER } from '../../core/process/orphans/ledger-notices'
import { LedgerFile, OrphanLedger } from '../../core/process/orphans/orphan-ledger'
import { PrivateFolders } from '../../core/process/spawn/private-folders'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext } from './context'

export type RunnersModule = {
  readonly ledger: OrphanLedger
  readonly folders: PrivateFolders
  readonly doctor: RunnerDoctor
  readonly variables: ComputerVariables
  readonly handlers: Omit<HandlersOf<'runner'>, 'runner.setUp'>
  /** Call once no process is left. */
  close(): void
}

/** Opens the parts that start programs: the process ledger, the environment and the runners. */
export function openRunners(
  { profileDir, info, store, settings, notices }: AppContext,
  choice: NetworkChoice,
): RunnersModule {
  const ledger = new OrphanLedger({
    file: new LedgerFile(profileDir),
    env: childEnvironment({ own: process.env, platform: process.platform }, {}),
    onNotification: (event) => notices.add(noticeOf(event, (owner) => store.find(owner)?.name)),
  })
  const folders = new PrivateFolders(join(profileDir, 'scratch'), ledger.ready)
  background(folders.sweep(), 'deleting private folders of earlier runs')
  // A terminal has the shell's PATH; the dock and menus don't.
  const isFromShell = info.wayIn === 'browser'
  const place = { platform: process.platform, home: homedir(), environment: process.env }
  const setupLedger = ledger.ledgerWithoutReaping(VET_OWNER)
  // The system may have no entry for this account, for example in some containers.
  const accountShell = attempt(() => userInfo().shell) ?? undefined
  const loginShell = new LoginShell({ ...place, accountShell, processLedger: setupLedger })
  if (!isFromShell) void loginShell.read()
  const doctor = new RunnerDoctor({
    place,
    loginShell,
    isFromShell,
    isRoot: process.getuid?.() === 0,
    folders,
    settings,
    network: (reader) => choice.variablesFor(reader),
    processLedger: ledger.ledgerOf(VET_OWNER),
    setupLedger,
  })
  return {
    ...{ ledger, folders, doctor },
    variables: new ComputerVariables(process.env, loginShell),
    handlers: {
      'runner.list': ({ fresh }) => doctor.list(fresh),
      'runner.find': () => doctor.find(),
      'runner.heldBack': () => doctor.finder.heldBack(),
    },
    close: () => {
      loginShell[Symbol.dispose]()
      ledger.close()
    },
  }
}

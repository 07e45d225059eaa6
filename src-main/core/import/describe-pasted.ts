import type {
  Adjustment,
  ConfiguredServer,
} from '../../../src-shared/domain/installation/configuration'
import { previewCustomServer, tooLongProblems } from '../installation/custom-server'
import type { InstallationService } from '../installation/installation-service'
import { type PastedServer, terminalIn } from './read-server'

type Usable = Extract<PastedServer, { kind: 'usable' }>

/** Converts a parsed server for display before it is added; contains no secret. */
export function describePasted(
  server: PastedServer,
  installations: Pick<InstallationService, 'preview' | 'stored'>,
  isThere: (variable: string) => boolean,
): ConfiguredServer {
  const { index, path, name, takenName } = server
  const about = { index, path, name, takenName }
  if (server.kind === 'unusable') {
    return {
      ...about,
      ...{ preview: null, obstacle: server.obstacle },
      ...{ secrets: [], environment: [], toFill: [], adjustments: [], notices: [] },
    }
  }
  const { made, cwd, secrets, inputs, notices } = server.drafted
  const tooLong = tooLongProblems(made).map(({ label, message }) => ({
    path: `${path}: ${label}`,
    message,
  }))
  const { preview, problems } = previewCustomServer(installations, made, cwd, undefined)
  return {
    ...about,
    preview,
    secrets,
    environment: [...inputs].slice(0, 200).map((variable) => ({
      name: variable,
      isThere: isThere(variable),
      isPassed: server.choice.passed.includes(variable),
      isAsWritten: server.choice.asWritten.includes(variable),
      isTaken: server.choice.environment.includes(variable) && isThere(variable),
    })),
    toFill: problems.map(({ label }) => label),
    envFile: envFileOf(server),
    adjustments: adjustmentsOf(server),
    notices: [...tooLong, ...notices].slice(0, 100),
  }
}

function adjustmentsOf({ drafted, wrapper }: Usable): Adjustment[] {
  const option = terminalIn(drafted.made)
  const adjustments: Adjustment[] = []
  if (option) {
    const { message, button } = option
    adjustments.push({ change: 'withoutTerminal', message, button })
  }
  if (wrapper !== undefined)
    adjustments.push({
      change: 'asRemote',
      message: `${wrapper} only passes a remote server on, which Patchbay can connect to directly.`,
      button: 'Use as remote server',
    })
  return adjustments
}

function envFileOf({ drafted: { envFile }, fileRead }: Usable): ConfiguredServer['envFile'] {
  if (envFile === undefined) return undefined
  switch (fileRead?.kind) {
    case undefined:
      return { path: envFile }
    case 'read':
      return { path: envFile, count: fileRead.pairs.length }
    case 'failed':
      return { path: envFile, problem: fileRead.problem }
  }
}

import type { FailedStatus, RunStatus } from '../../src-shared/domain/running/run-status'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import { visibleText } from '../ui/text/visible-text'

/** Each text of a failure made safe; the rest of the status stays. */
function tidyFailure<S extends FailedStatus>(status: S): S {
  return {
    ...status,
    message: visibleText(status.message),
    hint: status.hint === undefined ? undefined : visibleText(status.hint),
    stderrTail: status.stderrTail.map(visibleText),
    fields: status.fields.map((field) => ({ ...field, label: visibleText(field.label) })),
  }
}

function tidyStatus(status: RunStatus): RunStatus {
  switch (status.kind) {
    case 'error':
    case 'backingOff':
      return tidyFailure(status)
    case 'paused':
      return { ...tidyFailure(status), reason: visibleText(status.reason) }
    case 'degraded':
      return { ...status, warnings: status.warnings.map(visibleText) }
    case 'signInNeeded':
      return {
        ...status,
        message: visibleText(status.message),
        hint: status.hint === undefined ? undefined : visibleText(status.hint),
      }
    case 'starting':
      if (status.activity === undefined) return status
      return { ...status, activity: visibleText(status.activity) }
    case 'awaitingSignIn':
    case 'ready':
    case 'stopping':
    case 'stopped':
      return status
  }
}

function tidySignIn(signIn: ServerView['signIn']): ServerView['signIn'] {
  if (signIn?.kind !== 'failed') return signIn
  const { message, hint } = signIn
  return {
    ...signIn,
    message: visibleText(message),
    hint: hint === undefined ? undefined : visibleText(hint),
  }
}

function tidyOffer(offer: ServerView['signInOffer']): ServerView['signInOffer'] {
  if (!offer) return undefined
  const { message, hint } = offer
  return {
    message: visibleText(message),
    hint: hint === undefined ? undefined : visibleText(hint),
  }
}

function tidyRegistryStatus(
  registryStatus: ServerView['registryStatus'],
): ServerView['registryStatus'] {
  const words = registryStatus?.statusMessage
  return registryStatus && words !== undefined
    ? { ...registryStatus, statusMessage: visibleText(words) }
    : registryStatus
}

/** A server with its texts made safe to stand in a line: no character in them turns or hides others. */
export function tidyServer(server: ServerView): ServerView {
  return {
    ...server,
    name: visibleText(server.name),
    description: visibleText(server.description),
    identifier: visibleText(server.identifier),
    entryName: visibleText(server.entryName),
    status: tidyStatus(server.status),
    registryStatus: tidyRegistryStatus(server.registryStatus),
    earlier: server.earlier.map((one) => ({ ...one, version: visibleText(one.version) })),
    signIn: tidySignIn(server.signIn),
    signInOffer: tidyOffer(server.signInOffer),
  }
}

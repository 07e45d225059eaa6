import type { ServerView } from '../../src-shared/domain/app-state'
import type { RunStatus } from '../../src-shared/domain/run-status'
import { visibleText } from '../ui/visible-text'

function tidyStatus(status: RunStatus): RunStatus {
  switch (status.kind) {
    case 'error':
      return {
        ...status,
        message: visibleText(status.message),
        hint: status.hint === undefined ? undefined : visibleText(status.hint),
        stderrTail: status.stderrTail.map(visibleText),
        fields: status.fields.map((field) => ({ ...field, label: visibleText(field.label) })),
      }
    case 'degraded':
      return { ...status, warnings: status.warnings.map(visibleText) }
    case 'starting':
    case 'ready':
    case 'stopping':
    case 'stopped':
      return status
  }
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
  }
}

import type { CompletionRequest } from '../../../src-shared/domain/agents/tool-run'
import { useRequest } from '../../ipc/use-request'

/** What the arguments belong to, and its server. */
export type Completed = {
  readonly installationId: string
  readonly reference: CompletionRequest['ref']
}

/** What a server offers for an argument. */
export type Offer = {
  readonly values: readonly string[]
  /** How many there are, as the server says. */
  readonly total: number | undefined
  /** Why there is none. */
  readonly problem: string | undefined
}

/** How long one may go on typing before the server is asked, in ms. */
const REST_MS = 200

/** Asks a server what completes an argument, a while after the last change and while it is wanted; the last offer stays until there is another one. */
export function useCompletion(
  { installationId, reference }: Completed,
  name: string,
  values: Readonly<Record<string, string>>,
  isWanted: boolean,
): Offer {
  const { [name]: value = '', ...others } = values
  const filled = Object.fromEntries(Object.entries(others).filter(([, one]) => one !== ''))
  const request: CompletionRequest = {
    ref: reference,
    argument: { name, value },
    ...(Object.keys(filled).length > 0 && { context: { arguments: filled } }),
  }
  const { value: offer, problem } = useRequest(
    'toolRun.complete',
    isWanted ? { installationId, request } : undefined,
    { restMs: REST_MS },
  )
  if (!isWanted || problem)
    return { values: [], total: undefined, problem: isWanted ? problem?.message : undefined }
  return { values: offer?.values ?? [], total: offer?.total, problem: undefined }
}

import type { Call } from '../../../src-shared/domain/agents/activity'
import { passArguments } from '../../components/tool-run/passed-arguments'
import { type ToolRunKind, toolRunPlace } from '../../components/tool-run/tool-run-place'

const KINDS: Readonly<Record<string, ToolRunKind>> = {
  'tools/call': 'tool',
  'resources/read': 'resource',
  'prompts/get': 'prompt',
}

/** The messages of a call's server, at the request that the call led to. */
export function messagesPlace({ installationId, method, target, at, durationMs }: Call): string {
  const call = new URLSearchParams({
    ...{ method, target },
    ...{ from: String(at), to: String(at + durationMs) },
  })
  return `/servers/${installationId ?? ''}/messages?${call.toString()}`
}

/** The page on which the same can be tried; undefined where that is not possible. */
export function tryPlace({ installationId, method, target }: Call): string | undefined {
  const kind = KINDS[method]
  return kind && installationId && toolRunPlace(installationId, kind, target)
}

/** Passes the arguments of a call to the page that `tryPlace` leads to, where they were recorded whole. */
export function passCall({ installationId, target, arguments: text }: Call): void {
  if (installationId === undefined || text === undefined) return
  try {
    const args: unknown = JSON.parse(text)
    if (typeof args === 'object' && args !== null && !Array.isArray(args))
      passArguments({ installationId, name: target, arguments: { ...args } })
  } catch (cause) {
    // Arguments that were cut are no JSON any more.
    if (!(cause instanceof SyntaxError)) throw cause
  }
}

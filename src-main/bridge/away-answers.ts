import type { JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'
import { GATEWAY_CAPABILITIES } from '../core/gateway/protocol/gateway-capabilities'
import type { HostRequest } from './request'

const OLDER_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const NEWER_VERSIONS = ['2026-07-28']
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'
const EMPTY_LISTS: Readonly<Record<string, JsonObject>> = {
  'tools/list': { tools: [] },
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
}

/** What the host is told while Patchbay is not there, so that it keeps the bridge: nothing is offered yet. Undefined for what only Patchbay can answer. */
export function awayAnswer(
  { method, params, version }: Pick<HostRequest, 'method' | 'params' | 'version'>,
  appVersion: string,
): JsonObject | undefined {
  const serverInfo = { name: 'patchbay', title: 'Patchbay', version: appVersion }
  const result = version === undefined ? older(method, params, serverInfo) : newer(method)
  if (!result || version === undefined) return result
  return {
    ...result,
    ...{ resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
    _meta: { [SERVER_INFO_KEY]: serverInfo },
  }
}

function older(method: string, params: JsonObject, serverInfo: JsonObject): JsonObject | undefined {
  if (method === 'ping' || method === 'logging/setLevel') return {}
  if (method !== 'initialize') return EMPTY_LISTS[method]
  const asked = OLDER_VERSIONS.find((one) => one === params.protocolVersion)
  const [latest] = OLDER_VERSIONS
  return {
    protocolVersion: asked ?? latest,
    capabilities: GATEWAY_CAPABILITIES,
    serverInfo,
  }
}

function newer(method: string): JsonObject | undefined {
  if (method !== 'server/discover') return EMPTY_LISTS[method]
  return { supportedVersions: NEWER_VERSIONS, capabilities: GATEWAY_CAPABILITIES }
}

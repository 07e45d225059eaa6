import type { SettingsChange } from '../../src-shared/domain/state/settings'
import type { SuiteVersion } from './suite'

/** Scenarios of one suite version; with `specVersion` they run for that protocol version. */
export type ScenarioGroup = {
  readonly title: string
  readonly version: SuiteVersion
  readonly specVersion?: string
  /** Run with the other tests: fast, and without a sign-in. */
  readonly quick: readonly string[]
  readonly others: readonly string[]
}

const AUTH = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'pre-registration',
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
].map((name) => `auth/${name}`)

/** All client scenarios about things Patchbay does; extensions (machine sign-in, skills) are excluded. */
export const GROUPS: readonly ScenarioGroup[] = [
  {
    title: 'Protocol up to 2025-11-25',
    version: '0.1.16',
    quick: ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults'],
    others: [
      'sse-retry',
      ...AUTH,
      'auth/2025-03-26-oauth-metadata-backcompat',
      'auth/2025-03-26-oauth-endpoint-fallback',
    ],
  },
  {
    title: 'Protocol 2026-07-28',
    version: '0.2.0-alpha.12',
    specVersion: '2026-07-28',
    quick: [
      'tools_call',
      'request-metadata',
      'http-standard-headers',
      'http-custom-headers',
      'http-invalid-tool-headers',
      'json-schema-ref-no-deref',
      'json-schema-2020-12-preservation',
      'sep-2322-client-request-state',
    ],
    others: [
      ...AUTH,
      ...[
        'authorization-server-migration',
        'iss-supported',
        'iss-not-advertised',
        'iss-supported-missing',
        'iss-wrong-issuer',
        'iss-unexpected',
        'iss-normalized',
        'metadata-issuer-mismatch',
      ].map((name) => `auth/${name}`),
    ],
  },
]

/** Client settings that a scenario requires; the suite names them only in its documentation. */
export const SETTINGS: Readonly<Record<string, SettingsChange>> = {
  'auth/basic-cimd': { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' },
}

import type { ScenarioGroup } from './scenarios'

const OLDER = [
  'server-initialize',
  'logging-set-level',
  'ping',
  'tools-call-sampling',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-subscribe',
  'resources-unsubscribe',
]
const BOTH = [
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-error',
  'server-sse-multiple-streams',
  'resources-list',
  'resources-read-text',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'dns-rebinding-protection',
]
/** Run with the other tests, only through the gateway. */
const QUICK = ['tools-call-mixed-content', 'tools-call-with-progress', 'prompts-get-with-args']
const OLDER_QUICK = ['tools-call-with-logging', 'tools-call-elicitation', 'resources-read-binary']

/** All server scenarios that the suite counts for a version; extensions (tasks, skills) are excluded. */
export const SERVER_GROUPS: readonly ScenarioGroup[] = [
  {
    title: 'Protocol up to 2025-11-25',
    version: '0.1.16',
    quick: [...QUICK, ...OLDER_QUICK],
    others: [...OLDER, ...BOTH],
  },
  {
    title: 'Protocol 2025-11-25, newer suite',
    version: '0.2.0-alpha.12',
    specVersion: '2025-11-25',
    quick: [],
    others: [
      ...QUICK,
      ...OLDER_QUICK,
      ...OLDER,
      ...BOTH,
      'server-session-lifecycle',
      'json-schema-2020-12',
      'server-sse-polling',
    ],
  },
  {
    title: 'Protocol 2026-07-28',
    version: '0.2.0-alpha.12',
    specVersion: '2026-07-28',
    quick: [
      'server-stateless',
      'http-header-validation',
      'http-custom-header-server-validation',
      'input-required-result-multi-round',
    ],
    others: [
      ...QUICK,
      ...BOTH,
      'resources-read-binary',
      'sep-2164-resource-not-found',
      'caching',
      'json-schema-2020-12',
      ...[
        'basic-elicitation',
        'basic-sampling',
        'basic-list-roots',
        'request-state',
        'multiple-input-requests',
        'missing-input-response',
        'non-tool-request',
        'result-type',
        'unsupported-methods',
        'tampered-state',
        'capability-check',
        'ignore-extra-params',
        'validate-input',
      ].map((name) => `input-required-result-${name}`),
    ],
  },
]

const NO_MODEL =
  'The scenario needs sampling, which the gateway offers to no server. The fixture leaves the tool out.'
const NO_ROOTS =
  'The scenario needs roots of the client, which the user grants in Patchbay. The fixture leaves the tool out.'

/** Why a scenario is known to fail, even directly. */
export const SERVER_KNOWN: Readonly<Record<string, string>> = {
  'tools-call-sampling': NO_MODEL,
  'input-required-result-basic-sampling': NO_MODEL,
  'input-required-result-basic-list-roots': NO_ROOTS,
  'input-required-result-multiple-input-requests': NO_MODEL,
  'input-required-result-capability-check': NO_MODEL,
}

/** Why a scenario has fewer checks through the gateway, none of which fails. */
export const SERVER_FEWER: Readonly<Record<string, string>> = {
  'server-sse-multiple-streams':
    'The gateway answers a list as JSON immediately, so the optional check of a second stream has nothing to test.',
}

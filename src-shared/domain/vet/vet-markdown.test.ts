import { describe, expect, it } from 'vitest'

import { vetLine, vetMarkdown } from './vet-markdown'
import { type VetCheck, vetHeadline, type VetReport } from './vet-report'

const check = (id: string, rest: Partial<VetCheck>): VetCheck => ({
  ...{ id, group: 'tools', level: 'should', title: `Title of ${id}.`, isPending: false },
  ...{ outcome: 'passed', findings: [], moreFindings: 0 },
  ...rest,
})

const REPORT: VetReport = {
  ...{ schemaVersion: 1, patchbayVersion: '0.2.0', system: 'linux x64' },
  server: { name: 'io.example/weather', version: '1.2.0' },
  command: 'npx -y weather@1.2.0',
  ...{ startedAt: '2026-11-29T10:00:00.000Z', durationMs: 1_234 },
  checks: [
    check('tools.names', {}),
    check('tools.tokens', {
      outcome: 'found',
      findings: [{ message: 'Too *long*.', fix: 'Shorten it.' }],
    }),
    check('protocol.ping', {
      ...{ group: 'protocol', level: 'must', outcome: 'found', moreFindings: 2 },
      section: 'https://example.com/ping',
      findings: [
        {
          message: 'No answer\nto <b>ping</b>.',
          ...{ sent: '{"method":"ping"}', received: 'a fence ``` in the text', fix: 'Answer.' },
        },
      ],
      restart: 'The server was restarted: it ended during this check.',
    }),
    check('start.stdout', {
      ...{ group: 'start', level: 'must', outcome: 'found', isPending: true },
      findings: [{ message: 'A line.', fix: 'Remove it.' }],
    }),
    check('reach.network', { outcome: 'notChecked', reason: 'Needs strace, on Linux.' }),
  ],
}

describe('E14: a report as text', () => {
  it('counts problems and suggestions, without new checks', () => {
    expect(vetHeadline(REPORT)).toBe('1 problem, 1 suggestion. 1 check passed, 1 not checked.')
    expect(vetLine(REPORT)).toBe(
      'patchbay vet: 1 problem, 1 suggestion (1 of 5 checks, 2026-11-29)',
    )
  })

  it('is Markdown that keeps untrusted text as plain text, most severe finding first', () => {
    expect(vetMarkdown(REPORT)).toMatchInlineSnapshot(`
      "# io.example/weather 1.2.0

      **1 problem, 1 suggestion. 1 check passed, 1 not checked.**

      Checked 2026-11-29 on linux x64 with Patchbay 0.2.0, version 1.2.0.

      \`\`\`text
      npx -y weather@1.2.0
      \`\`\`

      ## Problem: \`protocol.ping\`

      Expected: Title of protocol.ping. ([section](https://example.com/ping))

      No answer to \\<b\\>ping\\</b\\>.

      Sent:

      \`\`\`text
      {"method":"ping"}
      \`\`\`

      Received:

      \`\`\`\`text
      a fence \`\`\` in the text
      \`\`\`\`

      Fix: Answer.

      And 2 more.

      The server was restarted: it ended during this check.

      ## Problem, new check: \`start.stdout\`

      Expected: Title of start.stdout.

      A line.

      Fix: Remove it.

      ## Suggestion: \`tools.tokens\`

      Expected: Title of tools.tokens.

      Too \\*long\\*.

      Fix: Shorten it.

      ## Checked and fine

      - Title of tools.names.

      ## Not checked

      - Title of reach.network. Needs strace, on Linux.
      "
    `)
  })
})

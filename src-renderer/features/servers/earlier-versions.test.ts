import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Router } from 'wouter'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { newQueries } from '../../ipc/queries'
import { earlierText, EarlierVersions } from './server-settings'

describe('E9: list of earlier versions', () => {
  it('says how a version differs, and what else a rollback needs', () => {
    expect(earlierText({ differs: [], asksAgain: false })).toBe('Same configuration as now.')
    expect(earlierText({ differs: ['command', 'Token'], asksAgain: true })).toBe(
      'Different: command, Token. Approve the command before the server starts.',
    )
  })

  it("escapes characters that reverse or hide a version, including its button's name", () => {
    const version = { versionKey: 'k', version: '1\u202e0', replacedAt: 0, hasSecrets: false }
    const server = { installationId: 'i', name: 'Notes', earlier: [version] } as unknown
    const list = createElement(EarlierVersions, { server: server as ServerView })
    const html = renderToStaticMarkup(
      createElement(
        QueryClientProvider,
        { client: newQueries() },
        createElement(Router, { ssrPath: '/', children: list }),
      ),
    )
    expect(html).toContain('<b>1&lt;U+202E&gt;0</b>')
    expect(html).toContain('aria-label="Roll back to 1&lt;U+202E&gt;0"')
  })
})

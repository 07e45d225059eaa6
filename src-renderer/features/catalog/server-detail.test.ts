import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import type { ListedServer } from '../../../src-shared/domain/catalog/catalog-query'
import { newQueries } from '../../ipc/queries'
import { TooltipProvider } from '../../ui/controls/tooltip'
import { ServerDetail } from './server-detail'

const STRIPE: ListedServer = {
  sourceId: 'official',
  name: 'com.stripe/pay',
  description: 'Takes payments.',
  publisher: 'stripe.com',
  namespace: 'domain',
  isVerified: true,
  version: '1.0.0',
  status: 'active',
  kinds: [],
  asksForSecrets: false,
}

/** Renders the detail of a server before main responds. */
function drawn(change: Partial<ListedServer> = {}): string {
  const detail = createElement(ServerDetail, {
    listed: { ...STRIPE, ...change },
    installedId: undefined,
  })
  const queries = createElement(QueryClientProvider, { client: newQueries() }, detail)
  return renderToStaticMarkup(createElement(TooltipProvider, null, queries))
}

describe('D2: server detail', () => {
  it("shows the list's data while the rest loads", () => {
    expect(drawn()).toContain('Takes payments.')
    expect(drawn()).toMatch(/role="status" aria-label="Loading details"/u)
  })

  it.each<[string, Partial<ListedServer>, string, boolean]>([
    ['a verified domain', {}, 'stripe.com', true],
    ['an unverified domain', { isVerified: false }, 'stripe.com, not verified', false],
    ['an account', { publisher: 'ann', namespace: 'github' }, 'ann on GitHub', false],
    ['a starter server', { sourceId: 'starter', isVerified: false }, 'stripe.com', false],
  ])('marks the publisher of %s', (_what, change, words, isMarked) => {
    const [, line = ''] =
      /<p[^>]*title="com\.stripe\/pay"[^>]*>(.*?)<\/p>/u.exec(drawn(change)) ?? []
    expect(line.replaceAll(/<[^>]*>/gu, '')).toBe(words)
    expect(line.includes('<svg')).toBe(isMarked)
  })
})

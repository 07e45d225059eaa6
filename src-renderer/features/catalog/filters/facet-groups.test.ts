import { describe, expect, it } from 'vitest'

import { type FilterChoices, NO_CHOICES, recentTo, toFilter } from './catalog-view-store'
import { chosenChips, facetGroups } from './facet-groups'

const PLACE = {
  runners: ['npx'] as const,
  favorites: [],
  viewed: [],
  now: Date.UTC(2026, 5, 1, 13),
}

function option(choices: FilterChoices, title: string, label: string) {
  const group = facetGroups(choices, undefined, []).find((one) => one.title === title)
  const found = group?.options.find((one) => one.label === label)
  if (!found) throw new Error(`There is no ${title}: ${label}.`)
  return found
}

describe('D2: catalog filters', () => {
  it('omit nothing without a choice', () => {
    expect(toFilter(NO_CHOICES, PLACE)).toEqual({})
    expect(chosenChips(facetGroups(NO_CHOICES, undefined, []))).toEqual([])
  })

  it('combine several choices of a list, and replace a choice that excludes others', () => {
    const npm = option(NO_CHOICES, 'Type', 'npm').toggle()
    const both = option(npm, 'Type', 'PyPI').toggle()
    expect(toFilter(both, PLACE)).toEqual({ kinds: ['npm', 'pypi'] })
    expect(option(both, 'Type', 'npm').toggle().kinds).toEqual(['pypi'])
    const month = option(NO_CHOICES, 'Updated', 'This month').toggle()
    const year = option(month, 'Updated', 'This year').toggle()
    expect(year.updated).toBe('year')
    expect(option(year, 'Updated', 'This year').toggle().updated).toBe('any')
  })

  it("include this computer's runners, whole days, and with or without secrets", () => {
    const choices = {
      ...NO_CHOICES,
      runsHere: true,
      secrets: 'none',
      updated: 'month',
    } as const
    expect(toFilter(choices, PLACE)).toEqual({
      runners: ['npx'],
      asksForSecrets: false,
      updatedSince: Date.UTC(2026, 4, 2),
    })
    const here = option(NO_CHOICES, 'On this computer', 'Can run now').toggle()
    expect(toFilter(here, PLACE)).toEqual({ runners: ['npx'] })
    expect(option(here, 'On this computer', 'Can run now').toggle()).toEqual(NO_CHOICES)
    const checked = option(NO_CHOICES, 'Publisher', 'Verified domain').toggle()
    expect(toFilter(checked, PLACE)).toEqual({ namespaces: ['domain'] })
    const request = option(choices, 'Secrets', 'Uses secrets').toggle()
    expect(toFilter(request, PLACE).asksForSecrets).toBe(true)
    expect(option(request, 'Secrets', 'Uses secrets').toggle().secrets).toBe('any')
  })

  it('count what each option would show, with the same time limits as the filter', () => {
    const facets = {
      kinds: { npm: 0, pypi: 0, docker: 0, nuget: 0, cargo: 0, bundle: 0, remote: 0 },
      ...{ runsHere: 4, asksForSecrets: 1, asksForNone: 5 },
      namespaces: { domain: 6, github: 7, none: 8 },
      statuses: { active: 0, deprecated: 0 },
      updated: { month: 2, year: 3 },
      sources: { a: 9, b: 1 },
    }
    const sources = ['a', 'b'].map((sourceId) => ({ sourceId, label: sourceId }))
    const groups = facetGroups(NO_CHOICES, facets, sources)
    const countsOf = (title: string) =>
      groups.find((one) => one.title === title)?.options.map(({ count }) => count)
    expect(countsOf('Updated')).toEqual([2, 3])
    expect(countsOf('On this computer')).toEqual([4])
    expect(countsOf('Secrets')).toEqual([1, 5])
    expect(countsOf('Publisher')).toEqual([6, 7, 8])
    expect(countsOf('Registry')).toEqual([9, 1])
    for (const updated of ['month', 'year'] as const) {
      const { updatedSince } = toFilter({ ...NO_CHOICES, updated }, PLACE)
      expect(updatedSince).toBe(recentTo(PLACE.now)[updated])
    }
  })

  it('hide options without servers, unless one is chosen', () => {
    const kinds = { npm: 3, pypi: 0, docker: 0, nuget: 0, cargo: 0, bundle: 0, remote: 0 }
    const facets = {
      ...{ kinds, runsHere: 0, asksForSecrets: 0, asksForNone: 0, sources: {} },
      namespaces: { domain: 0, github: 0, none: 0 },
      statuses: { active: 0, deprecated: 0 },
      updated: { month: 0, year: 0 },
    }
    const choices: FilterChoices = { ...NO_CHOICES, kinds: ['pypi'] }
    const groups = facetGroups(choices, facets, [])
    expect(
      groups.map(({ title, options }) => [title, ...options.map(({ label }) => label)]),
    ).toEqual([
      ['Your servers', 'Favorites', 'Recently viewed'],
      ['Type', 'npm', 'PyPI'],
    ])
  })

  it('show one chip for each group, which clears only its own choices', () => {
    const choices: FilterChoices = { ...NO_CHOICES, kinds: ['npm', 'remote'], statuses: ['active'] }
    const chips = chosenChips(facetGroups(choices, undefined, []))
    expect(chips.map(({ label }) => label)).toEqual(['npm, Remote', 'Active'])
    expect(chips[0]?.cleared).toEqual({ ...choices, kinds: [] })
  })

  it('offer registries only if there are several', () => {
    const sources = ['a', 'b'].map((sourceId) => ({ sourceId, label: `${sourceId}.example` }))
    const titles = (list: typeof sources) =>
      facetGroups(NO_CHOICES, undefined, list).map(({ title }) => title)
    expect(titles(sources.slice(1))).not.toContain('Registry')
    expect(titles(sources)).toContain('Registry')
  })
})

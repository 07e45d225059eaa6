import { Play } from 'lucide-react'
import { describe, expect, it } from 'vitest'

import type { Command } from './command'
import { CommandFinder, wordsOf } from './find-commands'

function command(group: Command['group'], title: string, where = ''): Command {
  return { id: `${group} ${title}`, group, title, where, icon: Play, run: () => undefined }
}
const restart = { ...command('Actions', 'Restart Playwright'), verb: 'Restart' }
const restore = command('Actions', 'Restore from backup')
const playwright = command('Servers', 'Playwright', '@playwright/mcp')
const request = command('Tools', 'create_pull_request', 'GitHub')
const finder = new CommandFinder([request, playwright, restart, restore])

function titles(query: string, more: readonly Command[] = []): string[] {
  return finder.find(query, more).flatMap(({ commands }) => commands.map(({ title }) => title))
}

describe('commands', () => {
  it('are found by the beginning of any of their words, in every order, actions first', () => {
    expect(titles('rest')).toEqual(['Restart Playwright', 'Restore from backup'])
    expect(titles('play rest')).toEqual(['Restart Playwright'])
    expect(titles('pull')).toEqual(['create_pull_request'])
    expect(titles('github')).toEqual(['create_pull_request'])
    expect(titles('nothing like it')).toEqual([])
  })

  it('that a name alone finds come after what has the name, so that Enter does nothing to it', () => {
    expect(titles('playwright')).toEqual(['Playwright', 'Restart Playwright'])
    expect(titles('playwright res')).toEqual(['Restart Playwright'])
  })

  it('are found mistyped, but for short words', () => {
    expect(titles('playwrigt')).toEqual(['Playwright', 'Restart Playwright'])
    expect(titles('pxl')).toEqual([])
  })

  it('are joined by what is found elsewhere, as it is', () => {
    const listed = command('Catalog', '<img src=x>')
    expect(titles('rest', [listed])).toEqual([
      'Restart Playwright',
      'Restore from backup',
      '<img src=x>',
    ])
  })

  it('begin with those that were run last, and then with what leads on', () => {
    const offered = finder.offer([playwright.id, 'gone'])
    expect(offered.map(({ group }) => group)).toEqual(['Recent', 'Actions'])
    expect(offered[0]?.commands).toEqual([playwright])
    expect(finder.offer([]).map(({ group }) => group)).toEqual(['Actions', 'Servers'])
  })

  it('are found among thousands, of which few are shown', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => command('Tools', `tool_${index}`))
    const [tools] = new CommandFinder(many).find('tool', [])
    expect(tools?.commands).toHaveLength(8)
  })
})

describe('the words of a name', () => {
  it('are distinguished by signs and by capital letters', () => {
    expect(wordsOf('create_pull-request')).toEqual(['create', 'pull', 'request'])
    expect(wordsOf('createPull 2')).toEqual(['createpull', '2', 'create', 'pull', '2'])
  })
})

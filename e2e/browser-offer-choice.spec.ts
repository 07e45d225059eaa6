import type { Locator, Page } from '@playwright/test'

import { faultsOf } from './fixtures/axe-faults'
import { BareComputer } from './fixtures/bare-computer'
import { argvOf, arrowTo, followRegistry, goTo } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

const stdio = { type: 'stdio' }
const remote = {
  type: 'streamable-http',
  url: 'https://{tenant}.notes.example/mcp',
  variables: { tenant: { description: 'Your workspace', isRequired: true } },
  headers: [{ name: 'X-Notes-Key', description: 'A key', isRequired: true, isSecret: true }],
}
const NOTES = {
  name: 'test.fixture/notes',
  title: 'Notes',
  description: 'Searches notes.',
  version: '1.0.0',
  packages: [
    {
      registryType: 'pypi',
      identifier: 'notes-py',
      version: '1.0.1',
      transport: stdio,
      packageArguments: [{ type: 'named', name: '--vault', isRequired: true }],
    },
    {
      registryType: 'npm',
      identifier: '@example/notes',
      version: '1.0.2',
      transport: stdio,
      packageArguments: [{ type: 'named', name: '--folder', isRequired: true }],
    },
    {
      registryType: 'oci',
      identifier: 'registry.example/notes',
      version: '1.0.3',
      transport: stdio,
      environmentVariables: [{ name: 'NOTES_BOX', isRequired: true }],
    },
  ],
  remotes: [remote],
}

/** Finds and selects an entry of the registry at this address. */
async function find(page: Page, url: string, title: string): Promise<Locator> {
  await followRegistry(page, url)
  await goTo(page, 'Catalog')
  await page.getByRole('searchbox', { name: 'Search catalog' }).fill('test.fixture')
  const card = page.getByRole('button', { name: title, exact: true })
  await card.click()
  return card
}

function offersOf(page: Page): Locator {
  return page.getByRole('radiogroup', { name: 'Ways to run' })
}

test.describe('A3: several packages and remotes', () => {
  test('the best one is preselected, and another is selected by keyboard alone', async ({
    openApp,
  }) => {
    const computer = new BareComputer()
    computer.write(computer.bin, 'npx', '#!/bin/sh\n')
    const registry = await startLocalRegistry([NOTES, fixtureServer('plain.mjs')])
    const { page } = await openApp({ env: computer.env })
    const card = await find(page, registry.url, 'Notes')
    const offers = offersOf(page)
    const best = offers.getByRole('radio', { name: /^npm/u })
    await expect(best).toBeChecked()
    await expect(best).toHaveAccessibleName(/Recommended @example\/notes 1\.0\.2$/u)
    await expect(best).toHaveAccessibleDescription('Runs on this computer with npx.')
    await expect(offers.getByRole('radio', { name: /^PyPI/u })).toHaveAccessibleDescription(
      'Requires uvx, which isn’t installed.',
    )
    await expect(offers.getByText('Recommended')).toHaveCount(1)
    const detail = page.getByRole('complementary', { name: 'Notes' })
    await expect(detail).toContainText('1 required: Folder')

    // From the card to its details and the selection.
    await card.focus()
    await page.keyboard.press('Tab')
    await expect(detail.getByRole('region', { name: 'About Notes' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(detail.getByRole('button', { name: 'Add to favorites' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(best).toBeFocused()
    await arrowTo('ArrowDown', offers.getByRole('radio', { name: /^PyPI/u }))
    await arrowTo('ArrowDown', offers.getByRole('radio', { name: /^Docker/u }))
    await expect(detail).toContainText('1 required: Notes box')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Set up Notes' })).toBeVisible()
    await page.getByLabel('Notes box', { exact: true }).fill('a')
    await expect(argvOf(page)).toContainText(['docker', 'registry.example/notes:1.0.3'])

    await page.getByRole('link', { name: 'Choose another' }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await expect(offers.getByRole('radio', { name: /^Docker/u })).toBeChecked()
    await offers.getByRole('radio', { name: /^PyPI/u }).check()
    await card.press('Enter')
    await page.getByLabel('Vault', { exact: true }).fill('v')
    await expect(argvOf(page)).toContainText(['uvx', 'notes-py@1.0.1', '--vault', 'v'])
    await registry.close()
    computer.remove()
  })
  test('thirty packages, no title and long names keep the layout intact', async ({
    app: { page },
  }) => {
    const long = 'x'.repeat(180)
    const odd = (name: string, packages: object[], remotes: object[] = []): object => ({
      name: `test.fixture/${name}`,
      description: `<img src=x onerror=alert(1)> ${long}`,
      version: '1.0.0',
      packages,
      remotes,
    })
    const pack = (identifier: string, registryType = 'npm'): object => ({
      registryType,
      identifier,
      version: `1.0.0-${long}`,
      transport: stdio,
    })
    const many = Array.from({ length: 30 }, (_, place) => pack(`@example/${long}-${String(place)}`))
    const few = [
      pack(`<b>${long}</b>`),
      pack('constructor', `${long.slice(0, 60)}-kind`),
      { ...pack(`https://files.example/${long}.mcpb`, 'mcpb') },
    ]
    await using registry = await startLocalRegistry([
      odd('many', many),
      odd('few', few, [{ ...remote, url: `https://{tenant}.example/${long}` }]),
    ])
    await page.setViewportSize({ width: 900, height: 600 })
    await find(page, registry.url, 'many')
    const choice = page.getByLabel('Ways to run (30)')
    await expect(choice.getByRole('option')).toHaveCount(30)
    await choice.selectOption({ index: 17 })
    await expect(page.getByRole('complementary', { name: 'many' })).toContainText(
      `@example/${long}-17`,
    )
    await expectOnePiece(page)

    await page.getByRole('button', { name: 'few', exact: true }).click()
    await expect(offersOf(page).getByRole('radio')).toHaveCount(4)
    await expectOnePiece(page)
    await offersOf(page).getByRole('radio').nth(1).check()
    const detail = page.getByRole('complementary', { name: 'few' })
    await expect(detail.getByRole('button', { name: /^Set up/u })).toHaveCount(0)
    await expect(detail.getByText(/^Unsupported package type/u)).not.toHaveCount(0)
  })
})

/** Nothing overflows the details or the window, and axe finds nothing. */
async function expectOnePiece(page: Page): Promise<void> {
  for (const selector of ['html', '.detail', '.detail-body', '.offers, .field']) {
    const over = (): Promise<unknown> =>
      page.evaluate(
        `[...document.querySelectorAll('${selector}')].map((one) => one.scrollWidth - one.clientWidth)`,
      )
    await expect.poll(over, selector).toEqual([0])
  }
  expect(await faultsOf(page)).toEqual([])
}

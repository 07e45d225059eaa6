import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import type { Page } from '@playwright/test'

import { parseServerJson } from '../src-shared/domain/server-json/parse-server-json'
import type { Argument, KeyValueInput, Package } from '../src-shared/domain/server-json/server-json'
import { toFormFields } from '../src-shared/form/to-form-fields'
import { faultsOf } from './fixtures/axe-faults'
import { argvOf, nameIt, openServer, paste } from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'

const ENTRIES = resolve('../shared/data/registry-entries.json')
const FORMS = 6
/** More than any form has tab stops. */
const MAX_STOPS = 1_500

type RealForm = {
  name: string
  raw: unknown
  index: number
  identifier: string
  keys: string[]
  weight: number
}

/** Published packages with the most complex forms: inputs, templates, lists, choices and secrets. */
function mostComplexForms(): RealForm[] {
  const { servers } = JSON.parse(readFileSync(ENTRIES, 'utf8')) as {
    servers: { server: unknown }[]
  }
  const heaviest = new Map<string, RealForm>()
  for (const { server: raw } of servers) {
    const { server } = parseServerJson(raw)
    server.packages.forEach((pkg, index) => {
      const isOwnForm = ['npm', 'pypi', 'oci', 'nuget'].includes(pkg.registryType)
      if (!isOwnForm || pkg.transport.type !== 'stdio') return
      const keys = toFormFields(pkg).map(({ key }) => key)
      const { identifier } = pkg
      const form = { name: server.name, raw, index, identifier, keys, weight: weightOf(pkg) }
      const known = heaviest.get(server.name)
      if (known === undefined || known.weight < form.weight) heaviest.set(server.name, form)
    })
  }
  return [...heaviest.values()].toSorted((a, b) => b.weight - a.weight).slice(0, FORMS)
}

function weightOf(pkg: Package): number {
  const inputs: (Argument | KeyValueInput)[] = [
    ...pkg.runtimeArguments,
    ...pkg.packageArguments,
    ...pkg.environmentVariables,
  ]
  return inputs.reduce((sum, input) => {
    const isList = 'isRepeated' in input && input.isRepeated === true
    const parts = [isList ? 4 : 0, input.choices ? 2 : 0, input.isSecret ? 1 : 0]
    const variables = 3 * Object.keys(input.variables ?? {}).length
    return sum + 1 + variables + parts.reduce((a, b) => a + b, 0)
  }, 0)
}

/** The focused element. */
type Stop = {
  readonly field: string | null
  readonly kind: string
  readonly text: string
  /** A collapsed part of the form. */
  readonly isFolded: boolean
}

const STOP = `(() => {
  const at = document.activeElement
  const isShut = at.getAttribute('aria-expanded') === 'false'
  return {
    field: at.closest('[data-field]')?.getAttribute('data-field') ?? null,
    kind: at.getAttribute('role') ?? (at.tagName === 'INPUT' ? at.type : at.tagName.toLowerCase()),
    text: (at.getAttribute('aria-label') ?? at.textContent ?? '').trim(),
    isFolded: isShut && at.closest('form') !== null && at.closest('[data-field]') === null,
  }
})()`

/** Fills in every control that Tab reaches, by the keys of its kind; returns the fields found. */
async function fillByKeyboard(page: Page): Promise<Set<string>> {
  const met = new Set<string>()
  const filled = new Set<string>()
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    const stop = await page.evaluate<Stop>(STOP)
    if (stop.field === null && stop.kind === 'button' && stop.text.startsWith('Save')) return met
    if (stop.field !== null) met.add(stop.field)
    if (stop.isFolded) await page.keyboard.press('Enter')
    if (stop.field !== null && !filled.has(stop.field) && (await fillIn(page, stop.kind)))
      filled.add(stop.field)
    await page.keyboard.press('Tab')
  }
  throw new Error('The keyboard never came to the end of the form.')
}

async function fillIn(page: Page, kind: string): Promise<boolean> {
  switch (kind) {
    case 'text':
    case 'password':
    case 'textarea':
    case 'number':
    case 'spinbutton': {
      const isEmpty = await page.evaluate<boolean>(`document.activeElement.value === ''`)
      if (isEmpty) await page.keyboard.type('7')
      return true
    }
    case 'select':
    case 'combobox':
      await page.keyboard.press('ArrowDown')
      return true
    case 'switch':
    case 'checkbox':
      await page.keyboard.press('Space')
      return true
    default:
      return false
  }
}

test.describe('A3: the most complex published forms', () => {
  if (!existsSync(ENTRIES)) {
    test.skip('none: registry-entries.json is optional test data and is missing', () => undefined)
    return
  }
  for (const { name, raw, index, identifier, keys } of mostComplexForms()) {
    test(`${name} (${keys.length} fields) is filled in and saved by keyboard alone, and axe finds nothing`, async ({
      app: { page },
    }) => {
      await paste(page, raw as object)
      await page.evaluate(
        `location.hash = location.hash.replace(/package-\\d+$/, 'package-${String(index)}')`,
      )
      // The form opened first has a field for the name, too.
      await expect(argvOf(page).filter({ hasText: identifier }).first()).toBeVisible()
      await nameIt(page, 'Complex')
      const met = await fillByKeyboard(page)
      expect(keys.filter((key) => !met.has(key))).toEqual([])
      expect(await faultsOf(page)).toEqual([])
      await page.keyboard.press('Enter')
      await expect(page.getByRole('region', { name: 'Consent' })).toBeHidden()
      await openServer(page, 'Complex')
      await expect(page.getByRole('heading', { name: 'Complex' })).toBeVisible()
    })
  }
})

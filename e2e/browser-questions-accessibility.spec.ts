import type { Page } from '@playwright/test'

import type { ElicitationField, QuestionBody } from '../src-shared/domain/agents/question'
import { expectStatus, install, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { MadeUpQuestions } from './fixtures/made-up-questions'
import { expect, test } from './fixtures/patchbay-test'

const NAME = 'Asker'
const CHOICES = ['a', 'b', 'c', 'd', 'e'].map((value) => ({ value, label: `Choice ${value}` }))
const INPUTS: readonly ElicitationField['input'][] = [
  { kind: 'text' },
  { kind: 'text', format: 'email' },
  { kind: 'text', format: 'date', default: '2026-03-31' },
  { kind: 'text', format: 'date-time' },
  { kind: 'number', isInteger: false },
  { kind: 'boolean' },
  { kind: 'choice', choices: CHOICES.slice(0, 3) },
  { kind: 'choice', choices: CHOICES },
  { kind: 'choices', choices: CHOICES },
]
const BODIES: readonly QuestionBody[] = [
  {
    kind: 'form',
    message: 'What it needs. '.repeat(40),
    fields: INPUTS.map((input, index) => ({
      name: `field_${index}`,
      title: `Field ${index}`,
      description: 'What it is for.',
      isRequired: index % 2 === 0,
      input,
    })),
  },
  { kind: 'page', message: 'Look.', url: 'https://xn--pypal-4ve.com/a', host: 'xn--pypal-4ve.com' },
  {
    kind: 'call',
    tool: 'wipe',
    isDestructive: true,
    arguments: [
      { name: 'path', value: ['/tmp'], kind: 'text', more: 0 },
      {
        name: 'text',
        value: ['a', { fold: 'line break', count: 500 }],
        kind: 'text',
        more: 12_000,
      },
    ],
  },
]

async function open(page: Page): Promise<MadeUpQuestions> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await install(page, fixtureServer('plain.mjs'), NAME)
  await expectStatus(page, NAME, 'Ready')
  await openServer(page, NAME)
  return MadeUpQuestions.on(page)
}

test('the least window at 200 % zoom still answers a question, by keyboard alone', async ({
  app: { page },
}) => {
  const put = await open(page)
  await expectStatus(page, NAME, 'Ready')
  await page.setViewportSize({ width: 450, height: 300 })
  put.put(BODIES.map((body) => put.made(body.kind, body)))
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Answer later' })).toBeEnabled()
  expect((await dialog.boundingBox())?.width).toBeLessThanOrEqual(450)
  const decline = dialog.getByRole('button', { name: 'Decline' })
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab')
    if (await decline.and(page.locator(':focus')).isVisible()) break
  }
  await expect(decline).toBeFocused()
  await expect(decline).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('asks you to open a page')
  expect(put.answers).toEqual([{ kind: 'decline' }])
})

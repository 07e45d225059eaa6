import { homedir, tmpdir } from 'node:os'

import { expectStatus, install } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import { PutQuestions, shownRows } from './fixtures/put-questions'
import { shoot, WIDE } from './fixtures/shoot'

const MINUTES = ['15 minutes', '30 minutes', '1 hour']

test('questions of servers and agents', async ({ openApp }) => {
  const { page } = await openApp()
  await page.setViewportSize(WIDE)
  await install(page, fixtureServer('plain.mjs'), 'Team calendar')
  await expectStatus(page, 'Team calendar', 'Ready')
  await page.getByRole('button', { name: 'Choose folders' }).click()
  await page.getByRole('textbox', { name: 'Folder 1' }).fill(homedir())
  await page.getByRole('textbox', { name: 'Folder 1' }).press('Enter')
  await page.getByRole('textbox', { name: 'Folder 2' }).fill(tmpdir())
  await shoot(page, 'server-folders')
  await page.getByRole('button', { name: 'Save folders' }).click()
  await expect(page.getByRole('list', { name: 'Folders' })).toContainText(homedir())
  const put = await PutQuestions.on(page)
  await expectStatus(page, 'Team calendar', 'Ready')
  const show = async (name: string): Promise<void> => {
    const close = page.getByRole('button', { name: /^(Decline|Deny)$/u })
    await expect(close).toBeEnabled()
    await shoot(page, name)
    await close.click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  put.put([
    put.made(
      'form',
      {
        kind: 'form',
        message: 'No free slot was found in the morning. When shall the meeting be?',
        fields: [
          {
            name: 'day',
            title: 'Day',
            isRequired: true,
            input: { kind: 'text', format: 'date', default: '2026-10-01' },
          },
          {
            name: 'note',
            title: 'Note for the guests',
            description: 'Stands in the invitation.',
            isRequired: false,
            input: { kind: 'text', maxLength: 200 },
          },
          {
            name: 'length',
            title: 'Length',
            isRequired: true,
            input: {
              kind: 'choice',
              choices: MINUTES.map((label) => ({ value: label, label })),
              default: '30 minutes',
            },
          },
          {
            name: 'seats',
            title: 'Seats',
            isRequired: false,
            input: { kind: 'number', isInteger: true, minimum: 1, maximum: 12 },
          },
        ],
      },
      { agent: 'Claude Desktop' },
    ),
  ])
  await show('question-form')
  put.put([
    put.made('page', {
      kind: 'page',
      message: 'Connect your calendar account, so that free slots can be found.',
      url: 'https://calendar.example.org/connect?session=5f2c81d0e4&return=patchbay',
      host: 'calendar.example.org',
    }),
  ])
  await show('question-page')
  put.put([
    put.made(
      'call',
      {
        kind: 'call',
        tool: 'cancel_meeting',
        title: 'Cancel a meeting',
        isDestructive: true,
        arguments: shownRows({
          meeting: 'M-2041',
          tellGuests: true,
          reason: 'Moved to next week.',
        }),
      },
      { agent: 'Claude Desktop', until: Date.now() + 55_000 },
    ),
  ])
  await show('question-call')
  const text = 'Dear guest, the meeting moves. '.repeat(400)
  const hostile = { note: `x${'\n'.repeat(500)}`, text, mark: `e${'\u0301'.repeat(3_000)}` }
  const read = {
    kind: 'call',
    tool: 'list_meetings',
    isDestructive: false,
    isReadOnly: true,
  } as const
  put.put([
    put.made(
      'hostile',
      {
        ...{ kind: 'call', tool: 'send_money', title: 'Send money', isDestructive: true },
        arguments: shownRows({ ...hostile, amount: 1_200, payee: 'gem\u202eLLC' }),
      },
      { agent: 'Claude Desktop' },
    ),
    put.made('read', { ...read, arguments: shownRows({ day: '2026-10-01' }) }),
    put.made('read-2', { ...read, arguments: shownRows({ day: '2026-10-02', limit: 20 }) }),
  ])
  await expect(page.getByRole('button', { name: 'Deny', exact: true })).toBeEnabled()
  await shoot(page, 'question-call-long')
})

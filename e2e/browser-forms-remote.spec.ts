import { configure, expectStatus, nameIt, paste } from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'
import { RemoteServer } from './fixtures/remote-server'

const remoteAt = (url: string) => ({
  name: 'test.fixture/remote',
  title: 'Far away',
  description: 'A server somewhere else.',
  version: '1.0.0',
  remotes: [
    {
      type: 'streamable-http',
      url: `${url}?tenant={tenant}`,
      variables: { tenant: { description: 'Your tenant', isRequired: true } },
      headers: [
        {
          name: 'Authorization',
          value: 'Bearer {token}',
          variables: { token: { description: 'Your token', isSecret: true, isRequired: true } },
        },
        { name: 'X-Region', default: 'eu' },
      ],
    },
  ],
})

test.describe('A3 and D3: a remote server', () => {
  test('is filled in, previewed, approved and connected', async ({ app: { page } }) => {
    await using remote = await RemoteServer.open()
    await paste(page, remoteAt(remote.url))
    const preview = page.getByRole('complementary', { name: 'Connection preview' })
    const consent = page.getByRole('region', { name: 'Consent' })
    await expect(preview).toContainText('not on this computer')
    await expect(consent).toContainText('Patchbay will connect to exactly this address')
    await expect(consent).not.toContainText('will run')
    await consent.getByRole('button', { name: 'Approve and connect' }).click()
    await expect(page.getByLabel('Tenant')).toBeFocused()

    await page.getByLabel('Tenant').fill('acme')
    await page.locator('#field-head_Authorization_token').fill('correct-horse')
    await expect(preview.getByRole('list', { name: 'Address' })).toContainText(
      `${remote.url}?tenant=acme`,
    )
    const headers = preview.getByRole('list', { name: 'Headers' })
    await expect(headers).toContainText('Authorization: Bearer ••••••••')
    await expect(headers).toContainText('X-Region: eu')
    await expect(preview).not.toContainText('correct-horse')
    await nameIt(page, 'Remote one')
    await consent.getByRole('button', { name: 'Approve and connect' }).click()
    await expect(page.getByRole('heading', { name: 'Remote one', level: 1 })).toBeVisible()
    await expectStatus(page, 'Remote one', 'Ready')
    expect(remote.requests.at(-1)).toMatchObject({
      authorization: 'Bearer correct-horse',
      'x-region': 'eu',
    })

    // The approval is known when the form opens again.
    await configure(page, 'Remote one')
    await expect(consent).toContainText('You already approved this address.')
  })
})

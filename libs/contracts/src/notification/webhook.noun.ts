import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/** Endpoints that receive alarms and messages, signed, with retries and a delivery log (NOTE-05). */
export const webhook = defineNoun({
  name: 'webhook',
  title: 'Webhooks',
  where: {
    does: 'Webhooks: programs are told of alarms and messages, signed, tried again for a day, with a log of deliveries',
    folders: ['apps/notification/src/webhook', 'apps/console/src/area/system/webhook'],
  },
  example: {
    name: 'Example',
    url: 'https://example.com/hooks/carillon',
    events: ['alarm.raised', 'alarm.ended'],
    kinds: [],
    level: 'low',
    enabled: true,
  },
  rights: ['add', 'edit', 'delete'],
  menu: { langKey: 'menu.webhooks', path: '/system/webhook', icon: 'webhook', before: 'operationLog' },
});

export const webhookErrors = defineErrors('webhook', {
  urlWrong: {
    status: 400,
    en_US: 'Enter a web address, for example https://example.com/hook, without a name or a password in it.',
    zh_CN: '请输入网址，例如 https://example.com/hook，其中不能包含用户名或密码。',
    ko: '웹 주소를 입력하세요. 예: https://example.com/hook. 이름이나 비밀번호는 넣을 수 없습니다.',
    pt_BR: 'Informe um endereço, por exemplo https://example.com/hook, sem nome nem senha.',
    help: [
      'The text is no address of http or https, or it holds credentials or a fragment.',
      'Leave credentials out: every delivery is signed, and the receiver checks the signature.',
    ],
  },
  httpsNeeded: {
    status: 400,
    en_US: 'The address must begin with https. The operator of the installation can allow others.',
    zh_CN: '网址必须以 https 开头；其他地址可由系统运营商允许。',
    ko: '주소는 https로 시작해야 합니다. 다른 주소는 설치 운영자가 허용할 수 있습니다.',
    pt_BR: 'O endereço deve começar com https. O operador da instalação pode permitir outros.',
    help: [
      'What is sent over http can be read on its way, so that it goes only to servers that the operator names.',
      'Use https, or have the operator add the server to `CARILLON_OUTBOUND_ALLOWED`.',
    ],
  },
  targetRefused: {
    status: 400,
    en_US:
      'This address can’t be reached from here. It must be public, at port 443 or 8443. The operator can allow others in CARILLON_OUTBOUND_ALLOWED.',
    zh_CN:
      '无法从此处访问该地址。地址必须可公开访问并使用端口 443 或 8443；其他地址可由运营商在 CARILLON_OUTBOUND_ALLOWED 中允许。',
    ko: '여기에서 이 주소에 연결할 수 없습니다. 공개 주소이고 포트 443 또는 8443이어야 하며, 다른 주소는 운영자가 CARILLON_OUTBOUND_ALLOWED에서 허용할 수 있습니다.',
    pt_BR:
      'Este endereço não pode ser alcançado daqui. Deve ser público, na porta 443 ou 8443. O operador pode permitir outros em CARILLON_OUTBOUND_ALLOWED.',
    help: [
      'The name is unknown, or it leads to an internal address or to a port where no web server usually listens.',
      'Use a public name; the operator allows others with `CARILLON_OUTBOUND_ALLOWED`.',
    ],
  },
  tooMany: {
    status: 409,
    en_US: 'The company has {count} webhooks already, and no more are possible.',
    zh_CN: '公司已有 {count} 个 Webhook，不能再增加。',
    ko: '회사에 웹훅이 이미 {count}개 있어 더 추가할 수 없습니다.',
    pt_BR: 'A empresa já tem {count} webhooks, e não são possíveis mais.',
    help: [
      'What happens is sent to each webhook, so that there is a bound.',
      'Delete one that is not used any more, or let one receiver pass on what it gets.',
    ],
  },
  off: {
    status: 409,
    en_US: 'This webhook is disabled. Enable it first.',
    zh_CN: '此 Webhook 已禁用，请先启用。',
    ko: '이 웹훅은 사용 안 함 상태입니다. 먼저 사용으로 바꾸세요.',
    pt_BR: 'Este webhook está desativado. Ative-o antes.',
    help: ['A delivery is sent again by a webhook that is enabled.', 'Enable the webhook, then send it again.'],
  },
  underWay: {
    status: 409,
    en_US: 'This delivery is being sent at the moment.',
    zh_CN: '此消息正在发送中。',
    ko: '지금 전송 중입니다.',
    pt_BR: 'Esta entrega está sendo enviada agora.',
    help: ['An attempt has begun and has no result yet.', 'Wait some seconds and look at the log.'],
  },
});

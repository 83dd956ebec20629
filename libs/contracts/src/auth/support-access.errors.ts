import { defineErrors } from '../define/error.ts';

export const supportAccessErrors = defineErrors('supportAccess', {
  nobodyAbove: {
    status: 409,
    en_US: 'No company is above yours, so there is nobody to let in.',
    zh_CN: '您的公司没有上级公司，因此无法授权任何人进入。',
    ko: '상위 회사가 없어 접근을 허용할 대상이 없습니다.',
    pt_BR: 'Nenhuma empresa está acima da sua, portanto não há a quem dar acesso.',
    help: ['The company belongs to no channel.', 'Support access is for companies below another one.'],
  },
  alreadyOpen: {
    status: 409,
    en_US: 'Support access is already allowed. End it first.',
    zh_CN: '已授权支持访问。请先结束现有授权。',
    ko: '지원 접근이 이미 허용되어 있습니다. 먼저 종료하세요.',
    pt_BR: 'O acesso de suporte já está permitido. Encerre-o primeiro.',
    help: ['A company allows one support access at a time.', 'End the one that is active, then allow another.'],
  },
  none: {
    status: 403,
    en_US: 'This customer hasn’t allowed access to their company, or the access has ended.',
    zh_CN: '该客户未授权访问其公司，或授权已结束。',
    ko: '이 고객이 회사 접근을 허용하지 않았거나 접근이 종료되었습니다.',
    pt_BR: 'Este cliente não permitiu o acesso à empresa ou o acesso terminou.',
    help: [
      'The customer has allowed no support access, ended it, or its time is over.',
      'Ask the customer to allow it under System, Support access.',
    ],
  },
  ended: {
    status: 403,
    en_US: 'The access to this customer’s company has ended.',
    zh_CN: '对该客户公司的访问已结束。',
    ko: '이 고객 회사에 대한 접근이 종료되었습니다.',
    pt_BR: 'O acesso à empresa deste cliente terminou.',
    help: [
      'The customer ended the support access, its time is over, or who allowed it may not do so any more.',
      'The next renewal of the session goes on in your own company.',
    ],
  },
});

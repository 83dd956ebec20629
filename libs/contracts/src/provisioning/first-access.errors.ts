import { defineErrors } from '../define/error.ts';

/** Why phones are not let in. */
export const firstAccessErrors = defineErrors('firstAccess', {
  twice: {
    status: 400,
    en_US: 'Two phones with the MAC of {name} wait, from different networks. Let in only the one that you know.',
    zh_CN: '有两部使用 {name} 的 MAC 的话机在不同网络中等待。请只允许您认识的那一部。',
    ko: '{name}의 MAC을 가진 전화기 두 대가 서로 다른 네트워크에서 기다립니다. 알고 있는 한 대만 허용하세요.',
    pt_BR: 'Dois telefones com o MAC de {name} esperam, em redes diferentes. Deixe entrar só o que você conhece.',
    help: [
      'A MAC can be forged, so at most one of the two is the phone. Nothing was changed.',
      'Compare the addresses, and let in the phone that asks from its site.',
    ],
  },
  askGone: {
    status: 409,
    en_US: 'A phone of your choice no longer waits. Load the list again.',
    zh_CN: '所选话机中有一部已不再等待。请重新加载列表。',
    ko: '선택한 전화기 중 하나가 더 이상 기다리지 않습니다. 목록을 다시 불러오세요.',
    pt_BR: 'Um dos telefones escolhidos não espera mais. Carregue a lista de novo.',
    help: [
      'The phone was let in meanwhile, its device was deleted, or it has not asked again for a week. Nothing was changed.',
      'Load the list again and choose from it.',
    ],
  },
});

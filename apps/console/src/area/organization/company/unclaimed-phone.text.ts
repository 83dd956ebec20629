import { defineTexts } from '../../../kit/text/define.ts';

export const unclaimedPhoneTexts = defineTexts({
  'unclaimedPhone.title': {
    en_US: 'Unclaimed phones',
    zh_CN: '无主话机',
    ko: '소유자 없는 전화기',
    pt_BR: 'Telefones sem dono',
  },
  'unclaimedPhone.text': {
    en_US:
      'These phones asked for a configuration, and no company has their MAC. They leave this list when a company adds them, for example with the claim code of their label.',
    zh_CN: '这些话机请求过配置，但没有公司拥有其 MAC。公司添加后（例如使用标签上的认领码），它们将从此列表中消失。',
    ko: '이 전화기들은 설정을 요청했지만 그 MAC을 가진 회사가 없습니다. 회사가 예를 들어 라벨의 클레임 코드로 추가하면 목록에서 사라집니다.',
    pt_BR:
      'Estes telefones pediram uma configuração, e nenhuma empresa tem seu MAC. Eles saem desta lista quando uma empresa os adiciona, por exemplo com o código de reivindicação da etiqueta.',
  },
  'unclaimedPhone.none': {
    en_US: 'No phone without a company has asked.',
    zh_CN: '没有无主话机发出过请求。',
    ko: '소유자 없는 전화기의 요청이 없습니다.',
    pt_BR: 'Nenhum telefone sem empresa pediu.',
  },
  'unclaimedPhone.failed': {
    en_US: 'The phones could not be loaded.',
    zh_CN: '无法加载话机。',
    ko: '전화기를 불러오지 못했습니다.',
    pt_BR: 'Não foi possível carregar os telefones.',
  },
  'unclaimedPhone.asked': {
    en_US: 'Asked from {{address}}, last on {{when}}',
    zh_CN: '来自 {{address}} 的请求，最近一次：{{when}}',
    ko: '{{address}}에서 요청, 마지막: {{when}}',
    pt_BR: 'Pediu de {{address}}, por último em {{when}}',
  },
});

import { defineTexts } from '../../../kit/text/define.ts';

export const macDisputeTexts = defineTexts({
  'macDispute.open': { en_US: 'Disputed MACs', zh_CN: '有争议的 MAC', ko: '분쟁 중인 MAC', pt_BR: 'MACs em disputa' },
  'macDispute.title': { en_US: 'Disputed MACs', zh_CN: '有争议的 MAC', ko: '분쟁 중인 MAC', pt_BR: 'MACs em disputa' },
  'macDispute.text': {
    en_US:
      'A company ordered or claimed these MACs while another has them. Giving one away ends the device that the other company made of it.',
    zh_CN: '某公司订购或认领了这些 MAC，而它们属于另一家公司。转交后，另一家公司由其生成的设备将终止。',
    ko: '다른 회사가 보유한 MAC을 한 회사가 주문했거나 클레임 코드로 요청했습니다. MAC을 넘기면 다른 회사가 만든 장치는 종료됩니다.',
    pt_BR:
      'Uma empresa pediu ou reivindicou estes MACs enquanto outra os tem. Entregar um deles encerra o dispositivo que a outra empresa criou.',
  },
  'macDispute.none': {
    en_US: 'No MAC is in dispute.',
    zh_CN: '没有有争议的 MAC。',
    ko: '분쟁 중인 MAC이 없습니다.',
    pt_BR: 'Nenhum MAC está em disputa.',
  },
  'macDispute.holds': {
    en_US: '{{name}} has it since {{time}}',
    zh_CN: '{{name}} 自 {{time}} 起持有',
    ko: '{{name}}이(가) {{time}}부터 보유',
    pt_BR: '{{name}} o tem desde {{time}}',
  },
  'macDispute.holdsUsed': {
    en_US: '{{name}} has it since {{time}}, and its device has connected',
    zh_CN: '{{name}} 自 {{time}} 起持有，且设备已连接过',
    ko: '{{name}}이(가) {{time}}부터 보유, 장치가 연결된 적 있음',
    pt_BR: '{{name}} o tem desde {{time}}, e o dispositivo já se conectou',
  },
  'macDispute.claims': {
    en_US: '{{name}} ordered it as {{model}} on {{time}}',
    zh_CN: '{{name}} 于 {{time}} 以 {{model}} 订购',
    ko: '{{name}}이(가) {{time}}에 {{model}}(으)로 주문',
    pt_BR: '{{name}} o pediu como {{model}} em {{time}}',
  },
  'macDispute.proved': {
    en_US: '{{name}} gave its claim code as {{model}} on {{time}}',
    zh_CN: '{{name}} 于 {{time}} 以 {{model}} 提供了认领码',
    ko: '{{name}}이(가) {{time}}에 {{model}}(으)로 클레임 코드 입력',
    pt_BR: '{{name}} informou o código de reivindicação como {{model}} em {{time}}',
  },
  'macDispute.keep': {
    en_US: 'Leave with {{name}}',
    zh_CN: '保留给 {{name}}',
    ko: '{{name}}에 유지',
    pt_BR: 'Deixar com {{name}}',
  },
  'macDispute.give': {
    en_US: 'Give to {{name}}',
    zh_CN: '转交给 {{name}}',
    ko: '{{name}}에 넘기기',
    pt_BR: 'Entregar a {{name}}',
  },
  'right.settleMac': {
    en_US: 'Settle disputed MACs',
    zh_CN: '裁定有争议的 MAC',
    ko: '분쟁 MAC 조정',
    pt_BR: 'Resolver MACs em disputa',
  },
  'audit.macDispute.settle': {
    en_US: 'Settle disputed MAC',
    zh_CN: '裁定有争议的 MAC',
    ko: '분쟁 MAC 조정',
    pt_BR: 'Resolver MAC em disputa',
  },
  'audit.channelOrder.settled': {
    en_US: 'MAC received by decision of the super administrator',
    zh_CN: '经超级管理员裁定获得 MAC',
    ko: '최고 관리자 결정으로 MAC 받음',
    pt_BR: 'MAC recebido por decisão do superadministrador',
  },
});

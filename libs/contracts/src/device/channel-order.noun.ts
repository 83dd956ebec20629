import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/** The devices that a company has in stock, and those that it allocated to the companies directly below it (CHN-03). */
export const channelOrder = defineNoun({
  name: 'channelOrder',
  title: 'Channel orders',
  where: {
    does: 'Channel orders: MACs that came in, given to channels and taken back, made into devices; who owns a MAC',
    folders: [
      'apps/device/src/channel-order',
      'apps/device/src/mac-owner',
      'apps/console/src/area/channel/channel-order',
    ],
  },
  example: { mac: '0c383e0a0001', model: 'X7A', order: 'Example' },
  rights: ['add', 'import', 'allocate', 'toDevice', 'delete'],
  menu: { langKey: 'menu.channelOrders', path: '/channel/allocatedList', icon: 'channelOrder', in: 'channels' },
});

export const channelOrderErrors = defineErrors('channelOrder', {
  assigned: {
    status: 409,
    en_US: '{count} of the chosen devices {count|is|are} assigned to a channel already. Nothing was changed.',
    zh_CN: '所选设备中有 {count} 台已分配给渠道。未做任何更改。',
    ko: '선택한 장치 중 {count}대가 이미 채널에 할당되었습니다. 변경된 내용이 없습니다.',
    pt_BR:
      '{count} dos dispositivos escolhidos já {count|está atribuído|estão atribuídos} a um canal. Nada foi alterado.',
    help: [
      'Lines of the order that are assigned were chosen together with free ones.',
      'Choose free lines only, or take the others back first.',
    ],
  },
  free: {
    status: 409,
    en_US: '{count} of the chosen devices {count|isn’t|aren’t} assigned to a channel. Nothing was changed.',
    zh_CN: '所选设备中有 {count} 台未分配给渠道。未做任何更改。',
    ko: '선택한 장치 중 {count}대는 채널에 할당되지 않았습니다. 변경된 내용이 없습니다.',
    pt_BR:
      '{count} dos dispositivos escolhidos não {count|está atribuído|estão atribuídos} a um canal. Nada foi alterado.',
    help: ['Only what was given to a channel can be taken back.', 'Choose assigned lines only.'],
  },
  passedOn: {
    status: 409,
    en_US:
      '{count} of the chosen devices can’t be taken back: the channel has passed {count|it|them} on, or is no longer below your company. Nothing was changed.',
    zh_CN: '所选设备中有 {count} 台无法收回：渠道已转交，或不再隶属于贵公司。未做任何更改。',
    ko: '선택한 장치 중 {count}대는 회수할 수 없습니다. 채널이 이미 넘겼거나 더 이상 귀사 아래에 있지 않습니다. 변경된 내용이 없습니다.',
    pt_BR:
      '{count} dos dispositivos escolhidos não {count|pode ser recuperado|podem ser recuperados}: o canal já {count|o|os} repassou, ou não está mais abaixo da sua empresa. Nada foi alterado.',
    help: [
      'A device goes back one step at a time, from the company that holds it to the one directly above.',
      'Ask the channel to take the devices back from its own channel first.',
    ],
  },
  deviceUnseen: {
    status: 409,
    en_US: '{count} of the chosen devices {count|belongs|belong} to organizations that you can’t see.',
    zh_CN: '所选设备中有 {count} 台属于您无权查看的组织。',
    ko: '선택한 장치 중 {count}대가 볼 수 없는 조직에 속합니다.',
    pt_BR: '{count} dos dispositivos escolhidos {count|pertence|pertencem} a organizações que você não vê.',
    help: [
      'The lines are devices of other organizations of the company.',
      'Have someone who sees those organizations do it.',
    ],
  },
  inUse: {
    status: 409,
    en_US:
      '{count} of the chosen devices {count|was|were} in use. Choose whether {count|it is|they are} reset, and continue.',
    zh_CN: '所选设备中有 {count} 台曾经使用过。请选择是否重置这些设备，然后继续。',
    ko: '선택한 장치 중 {count}대가 사용된 적이 있습니다. 초기화할지 선택한 다음 계속하세요.',
    pt_BR:
      '{count} dos dispositivos escolhidos já {count|foi usado|foram usados}. Escolha se {count|ele será restaurado|eles serão restaurados} e continue.',
    help: [
      'A device that has connected was to be given to another company without a confirmation.',
      'Repeat the call with “confirmed”. The device is reset unless “reset” is false; then what it stores goes along.',
    ],
  },
  cannotReset: {
    status: 409,
    en_US:
      '{count} of the devices in use can’t be reset from here. Reset {count|it|them} by hand, or hand {count|it|them} over as {count|it is|they are}.',
    zh_CN: '使用过的设备中有 {count} 台无法从此处重置。请手动重置，或按现状交出。',
    ko: '사용된 장치 중 {count}대는 여기서 초기화할 수 없습니다. 직접 초기화하거나 그대로 넘기세요.',
    pt_BR:
      '{count} dos dispositivos usados não {count|pode ser restaurado|podem ser restaurados} daqui. Restaure-{count|o|os} manualmente ou entregue-{count|o|os} como {count|está|estão}.',
    help: [
      'These devices were in use and have not told that they can carry out a factory reset.',
      'Reset them by hand, then give them with “reset” set to false.',
    ],
  },
  hasDevice: {
    status: 409,
    en_US: '{count} of the chosen lines {count|is a device|are devices} of your company already.',
    zh_CN: '所选行中有 {count} 行已是贵公司的设备。',
    ko: '선택한 항목 중 {count}개가 이미 귀사의 장치입니다.',
    pt_BR: '{count} das linhas escolhidas já {count|é um dispositivo|são dispositivos} da sua empresa.',
    help: [
      'A line of stock is made into a device once, and stays in the list while the device exists.',
      'Choose lines that are free, or delete the device first.',
    ],
  },
  fromAbove: {
    status: 409,
    en_US: '{count} of the chosen lines came from the company above. Only that company can take {count|it|them} back.',
    zh_CN: '所选行中有 {count} 行来自上级公司，只能由上级公司收回。',
    ko: '선택한 항목 중 {count}개는 상위 회사에서 왔습니다. 상위 회사만 회수할 수 있습니다.',
    pt_BR: '{count} das linhas escolhidas {count|veio|vieram} da empresa acima. Só ela pode recuperá-{count|la|las}.',
    help: ['What a parent gave is its order.', 'Ask the company above to take the device back.'],
  },
  unknownMac: {
    status: 404,
    en_US: '{count} of these MACs {count|isn’t|aren’t} in your channel orders. First: {mac}.',
    zh_CN: '其中 {count} 个 MAC 不在您的渠道订单中。第一个：{mac}。',
    ko: '이 MAC 중 {count}개가 채널 주문에 없습니다. 첫 번째: {mac}.',
    pt_BR: '{count} destes MACs não {count|está|estão} nos seus pedidos de canal. Primeiro: {mac}.',
    help: ['MACs were typed that no line of the company has.', 'Import them first, or correct them.'],
  },
  notEnough: {
    status: 409,
    en_US: 'Only {free} free {free|device matches|devices match}.',
    zh_CN: '只有 {free} 台空闲设备符合条件。',
    ko: '조건에 맞는 미할당 장치가 {free}대뿐입니다.',
    pt_BR: 'Só {free} {free|dispositivo livre corresponde|dispositivos livres correspondem}.',
    help: ['More devices were asked for than are free.', 'Ask for fewer, or import more.'],
  },
  tooMany: {
    status: 400,
    en_US: 'At most {most} devices at a time. Choose fewer.',
    zh_CN: '一次最多 {most} 台设备。请减少选择。',
    ko: '한 번에 최대 {most}대까지 가능합니다. 더 적게 선택하세요.',
    pt_BR: 'No máximo {most} dispositivos por vez. Escolha menos.',
    help: ['More lines match than go in one step.', 'Narrow the filter, and repeat.'],
  },
});

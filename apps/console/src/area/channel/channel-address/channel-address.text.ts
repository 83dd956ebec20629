import { defineTexts } from '../../../kit/text/define.ts';

export const channelAddressTexts = defineTexts({
  'menu.channelAddresses': {
    en_US: 'Channel addresses',
    zh_CN: '渠道地址',
    ko: '채널 주소',
    pt_BR: 'Endereços de canais',
  },
  'channelAddress.name': { en_US: 'Name', zh_CN: '名称', ko: '이름', pt_BR: 'Nome' },
  'channelAddress.nameMissing': {
    en_US: 'Enter a name.',
    zh_CN: '请输入名称。',
    ko: '이름을 입력하세요.',
    pt_BR: 'Informe um nome.',
  },
  'channelAddress.parent': {
    en_US: 'Parent address',
    zh_CN: '上级地址',
    ko: '상위 주소',
    pt_BR: 'Endereço superior',
  },
  'channelAddress.top': { en_US: 'None', zh_CN: '无', ko: '없음', pt_BR: 'Nenhum' },
  'channelAddress.description': { en_US: 'Description', zh_CN: '描述', ko: '설명', pt_BR: 'Descrição' },
  'channelAddress.channels': { en_US: 'Channels', zh_CN: '渠道', ko: '채널', pt_BR: 'Canais' },
  'channelAddress.channelCount': {
    en_US: { one: '{{number}} channel', other: '{{number}} channels' },
    zh_CN: '{{number}} 个渠道',
    ko: '채널 {{number}}개',
    pt_BR: { one: '{{number}} canal', many: '{{number}} de canais', other: '{{number}} canais' },
  },
  'channelAddress.add': { en_US: 'Add address', zh_CN: '添加地址', ko: '주소 추가', pt_BR: 'Adicionar endereço' },
  'channelAddress.editOne': {
    en_US: 'Edit {{name}}',
    zh_CN: '编辑 {{name}}',
    ko: '{{name}} 편집',
    pt_BR: 'Editar {{name}}',
  },
  'channelAddress.deleteOne': {
    en_US: 'Delete address {{name}}',
    zh_CN: '删除地址 {{name}}',
    ko: '주소 {{name}} 삭제',
    pt_BR: 'Excluir o endereço {{name}}',
  },
  'channelAddress.deleteText': {
    en_US: 'You can undo this briefly.',
    zh_CN: '短时间内可以撤销。',
    ko: '잠시 동안 실행 취소할 수 있습니다.',
    pt_BR: 'Você pode desfazer isto por um momento.',
  },
  'channelAddress.deleteUsed': {
    en_US: {
      one: '{{number}} channel is at this address. Give it another one first.',
      other: '{{number}} channels are at this address. Give them another one first.',
    },
    zh_CN: '有 {{number}} 个渠道使用此地址。请先为其选择其他地址。',
    ko: '채널 {{number}}개가 이 주소를 사용합니다. 먼저 다른 주소를 지정하세요.',
    pt_BR: {
      one: '{{number}} canal está neste endereço. Escolha outro endereço primeiro.',
      many: '{{number}} de canais estão neste endereço. Escolha outro endereço primeiro.',
      other: '{{number}} canais estão neste endereço. Escolha outro endereço primeiro.',
    },
  },
  'channelAddress.search': {
    en_US: 'Name or description',
    zh_CN: '名称或描述',
    ko: '이름 또는 설명',
    pt_BR: 'Nome ou descrição',
  },
  'channelAddress.none': {
    en_US: 'No addresses yet',
    zh_CN: '还没有地址',
    ko: '아직 주소 없음',
    pt_BR: 'Nenhum endereço ainda',
  },
  'channelAddress.noneText': {
    en_US:
      'Addresses are a tree of places for your channels, such as country and city. Once there is one, each channel is placed at an address.',
    zh_CN: '地址是渠道所在位置的树，例如国家和城市。有地址后，每个渠道都须选择一个。',
    ko: '주소는 국가와 도시처럼 채널의 위치를 나타내는 트리입니다. 주소가 하나라도 있으면 모든 채널에 주소를 지정합니다.',
    pt_BR:
      'Endereços são uma árvore de lugares dos seus canais, como país e cidade. Havendo um, cada canal recebe um endereço.',
  },
  'channelAddress.noMatch': {
    en_US: 'No address matches the search.',
    zh_CN: '没有符合搜索的地址。',
    ko: '검색과 일치하는 주소가 없습니다.',
    pt_BR: 'Nenhum endereço corresponde à busca.',
  },
  'channelAddress.listFailed': {
    en_US: 'The addresses could not be loaded.',
    zh_CN: '无法加载地址。',
    ko: '주소를 불러올 수 없습니다.',
    pt_BR: 'Não foi possível carregar os endereços.',
  },
  'right.addChannelAddress': {
    en_US: 'Add channel addresses',
    zh_CN: '添加渠道地址',
    ko: '채널 주소 추가',
    pt_BR: 'Adicionar endereços de canais',
  },
  'right.editChannelAddress': {
    en_US: 'Edit channel addresses',
    zh_CN: '编辑渠道地址',
    ko: '채널 주소 편집',
    pt_BR: 'Editar endereços de canais',
  },
  'right.deleteChannelAddress': {
    en_US: 'Delete channel addresses',
    zh_CN: '删除渠道地址',
    ko: '채널 주소 삭제',
    pt_BR: 'Excluir endereços de canais',
  },
  'audit.channelAddress.add': {
    en_US: 'Add channel address',
    zh_CN: '添加渠道地址',
    ko: '채널 주소 추가',
    pt_BR: 'Adicionar endereço de canais',
  },
  'audit.channelAddress.edit': {
    en_US: 'Edit channel address',
    zh_CN: '编辑渠道地址',
    ko: '채널 주소 편집',
    pt_BR: 'Editar endereço de canais',
  },
  'audit.channelAddress.delete': {
    en_US: 'Delete channel address',
    zh_CN: '删除渠道地址',
    ko: '채널 주소 삭제',
    pt_BR: 'Excluir endereço de canais',
  },
  'audit.channelAddress.restore': {
    en_US: 'Restore channel addresses',
    zh_CN: '恢复渠道地址',
    ko: '채널 주소 복원',
    pt_BR: 'Restaurar endereços de canais',
  },
  'undo.channelAddressDeleted': {
    en_US: 'Address {{name}} deleted',
    zh_CN: '已删除地址 {{name}}',
    ko: '주소 {{name}} 삭제됨',
    pt_BR: 'Endereço {{name}} excluído',
  },
  'undo.channelAddressRestored': {
    en_US: 'Address {{name}} restored',
    zh_CN: '已恢复地址 {{name}}',
    ko: '주소 {{name}} 복원됨',
    pt_BR: 'Endereço {{name}} restaurado',
  },
});

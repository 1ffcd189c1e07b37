<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Core</name>
    <message>
        <source>%1 does not divide the %2 attention heads of %3; allowed: %4</source>
        <translation>%1 不能整除 %3 的 %2 个注意力头；可取：%4</translation>
    </message>
    <message>
        <source>%1 does not divide the %2 key/value heads of %3 and is no multiple of them, which megatron-core requires to replicate them; allowed: %4</source>
        <translation>%1 既不能整除 %3 的 %2 个键值头，也不是其倍数（megatron-core 复制键值头时要求）；可取：%4</translation>
    </message>
    <message>
        <source>%1 does not divide the %2 key/value heads of %3, which torchtitan requires; allowed: %4</source>
        <translation>%1 不能整除 %3 的 %2 个键值头（torchtitan 的要求）；可取：%4</translation>
    </message>
    <message>
        <source>%1 and multiples of %2</source>
        <translation>%1 以及 %2 的倍数</translation>
    </message>
    <message>
        <source>%1 does not divide the feed-forward width %2 of %3; allowed: %4</source>
        <translation>%1 不能整除 %3 的前馈宽度 %2；可取：%4</translation>
    </message>
    <message>
        <source>%1 does not divide the width %2 of the shared experts; allowed: %3</source>
        <translation>%1 不能整除共享专家的宽度 %2；可取：%3</translation>
    </message>
    <message>
        <source>%1 does not divide the expert width %2; allowed: %3</source>
        <translation>%1 不能整除专家宽度 %2；可取：%3</translation>
    </message>
    <message>
        <source>%1 layers do not divide into %2 stages: would build %3 of %1; allowed: %4</source>
        <translation>%1 层无法平均分为 %2 个阶段：只能构建 %1 层中的 %3 层；可取：%4</translation>
    </message>
    <message>
        <source>%1 layers do not divide into %2 stages x %3 chunks: would build %4 of %1; allowed with %2 stages: %5</source>
        <translation>%1 层无法分为 %2 个阶段 x %3 个块：只能构建 %1 层中的 %4 层；%2 个阶段时可取：%5</translation>
    </message>
    <message>
        <source>%1 chunks a stage need more than 1 stage; allowed: 1</source>
        <translation>每阶段 %1 个块要求多于 1 个阶段；可取：1</translation>
    </message>
    <message>
        <source>give --pp above 1 or leave --vpp out</source>
        <translation>把 PP 设为大于 1，或不设 VPP</translation>
    </message>
    <message>
        <source>only the interleaved schedule runs %1 chunks a stage; allowed: interleaved</source>
        <translation>只有交错调度支持每阶段 %1 个块；可取：interleaved</translation>
    </message>
    <message>
        <source>interleaved needs more than 1 chunk a stage, vpp is 1</source>
        <translation>交错调度要求每阶段多于 1 个块，而 VPP 为 1</translation>
    </message>
    <message>
        <source>give --vpp 2 or the 1f1b schedule</source>
        <translation>把 VPP 设为 2，或使用 1f1b 调度</translation>
    </message>
    <message>
        <source>interleaved needs a multiple of %1 micro-batches, there are %2 (global batch %3 / (micro-batch %4 x dp %5))</source>
        <translation>交错调度要求微批次数为 %1 的倍数，现为 %2（全局批次 %3 /（微批次 %4 x dp %5））</translation>
    </message>
    <message>
        <source>sequence parallelism splits over the tensor-parallel group, tp is 1</source>
        <translation>序列并行在张量并行组内切分，而 TP 为 1</translation>
    </message>
    <message>
        <source>give --tp above 1 or leave it off</source>
        <translation>把 TP 设为大于 1，或关闭它</translation>
    </message>
    <message>
        <source>the sequence of %1 tokens does not divide by tp x cp = %2</source>
        <translation>长度 %1 的序列不能被 tp x cp = %2 整除</translation>
    </message>
    <message>
        <source>the sequence of %1 tokens is no multiple of 2 x cp = %2</source>
        <translation>长度 %1 的序列不是 2 x cp = %2 的倍数</translation>
    </message>
    <message>
        <source>the next valid length is %1</source>
        <translation>下一个有效长度为 %1</translation>
    </message>
    <message>
        <source>%1 has no experts; allowed: 1</source>
        <translation>%1 没有专家；可取：1</translation>
    </message>
    <message>
        <source>leave --ep out</source>
        <translation>不设 EP</translation>
    </message>
    <message>
        <source>leave --etp out</source>
        <translation>不设专家内 TP</translation>
    </message>
    <message>
        <source>%1 does not divide the %2 experts of %3; allowed: %4</source>
        <translation>%1 不能整除 %3 的 %2 个专家；可取：%4</translation>
    </message>
    <message>
        <source>ep %1 x etp %2 = %3 does not divide the %4 ranks of a stage (dp x cp x tp); the world must be a multiple of etp x ep x pp = %5; allowed ep x etp: %6</source>
        <translation>ep %1 x etp %2 = %3 不能整除一个阶段的 %4 个 rank（dp x cp x tp）；总 rank 数须为 etp x ep x pp = %5 的倍数；ep x etp 可取：%6</translation>
    </message>
    <message>
        <source>%1 layers are named, but recomputation is not full</source>
        <translation>指定了 %1 层，但重计算不是整层方式</translation>
    </message>
    <message>
        <source>give --recompute full, or leave --recompute-layers out</source>
        <translation>请选择整层重计算（--recompute full），或不指定 --recompute-layers</translation>
    </message>
    <message>
        <source>%1 is more than the %2 layers of %3; allowed: 0 (all) to %4</source>
        <translation>%1 超过 %3 的 %2 层；允许：0（全部）到 %4</translation>
    </message>
    <message>
        <source>%1 pieces need sequence parallelism: without it nothing is gathered or scattered</source>
        <translation>分 %1 块需要序列并行：没有它就没有收集或散布</translation>
    </message>
    <message>
        <source>give --sequence-parallel, or leave --tensor-chunks out</source>
        <translation>请开启序列并行（--sequence-parallel），或不指定 --tensor-chunks</translation>
    </message>
    <message>
        <source>a shard group of %1 needs sharding, zero is 0</source>
        <translation>大小为 %1 的分片组要求开启分片，而 ZeRO 为 0</translation>
    </message>
    <message>
        <source>give --zero 1, 2 or 3</source>
        <translation>把 ZeRO 设为 1、2 或 3</translation>
    </message>
    <message>
        <source>%1 does not divide the %2 data-parallel ranks (dp x cp); allowed: %3</source>
        <translation>%1 不能整除 %2 个数据并行 rank（dp x cp）；可取：%3</translation>
    </message>
    <message>
        <source>stage %1 with pp %2: gradients are reduced after every micro-batch, not once a step, and deepspeed refuses it; allowed: 0, 1</source>
        <translation>ZeRO %1 与 pp %2 同用：梯度在每个微批次后归约，而不是每步一次，且 deepspeed 不接受；允许：0, 1</translation>
    </message>
    <message>
        <source>stage 1 keeps the pipeline&apos;s communication as it is</source>
        <translation>ZeRO 1 不改变流水线的通信</translation>
    </message>
    <message>
        <source>nothing to shard: one data-parallel rank</source>
        <translation>没有可分片的内容：只有一个数据并行 rank</translation>
    </message>
    <message>
        <source>leave --zero out</source>
        <translation>不设 ZeRO</translation>
    </message>
    <message>
        <source>%1 is not micro-batch %2 x dp %3 x a whole number of micro-batches</source>
        <translation>%1 不等于微批次 %2 x dp %3 x 整数个微批次</translation>
    </message>
    <message>
        <source>with dp %1 the micro-batch may be %2</source>
        <translation>dp 为 %1 时微批次可取 %2</translation>
    </message>
    <message>
        <source>nearest global batches: %1 and %2</source>
        <translation>最接近的全局批次：%1 和 %2</translation>
    </message>
    <message>
        <source>the smallest global batch is %1</source>
        <translation>最小的全局批次为 %1</translation>
    </message>
    <message>
        <source>%1 is out of range; allowed: %2 to %3</source>
        <translation>%1 超出范围；可取：%2 到 %3</translation>
    </message>
    <message>
        <source>%1 is not a matrix format of %2; allowed: %3</source>
        <translation>%1 不是 %2 支持的矩阵格式；可取：%3</translation>
    </message>
    <message>
        <source>%1 tokens are more than the %2 learned positions of the model; allowed: 1 to %3</source>
        <translation>%1 个 token 超过模型学习到的 %2 个位置；可取：1 到 %3</translation>
    </message>
    <message>
        <source>%1 tokens are more than the %2 positions the model was made for</source>
        <translation>%1 个 token 超过模型设计的 %2 个位置</translation>
    </message>
    <message>
        <source>the time is predicted all the same</source>
        <translation>仍会预测时间</translation>
    </message>
    <message>
        <source>%1 ranks (dp x tp x pp x cp) are more than the %2 that the cluster holds at %3 ranks a core</source>
        <translation>%1 个 rank（dp x tp x pp x cp）超过集群按每核 %3 个 rank 可容纳的 %2 个</translation>
    </message>
    <message>
        <source>%1 ranks (dp x tp x pp x cp) are more than the %2 devices of the cluster</source>
        <translation>%1 个 rank（dp x tp x pp x cp）超过集群的 %2 个设备</translation>
    </message>
    <message>
        <source>%1 ranks (dp x tp x pp x cp) are more than the %2 devices of the cluster, which is of several kinds of node and cannot be enlarged</source>
        <translation>%1 个 rank（dp x tp x pp x cp）超过集群的 %2 个设备；集群含多种节点，无法扩大</translation>
    </message>
    <message>
        <source>%1 ranks (dp x tp x pp x cp) are more than the %2 devices of the cluster, which states no network to add nodes to</source>
        <translation>%1 个 rank（dp x tp x pp x cp）超过集群的 %2 个设备；集群未说明可扩展节点的网络</translation>
    </message>
    <message>
        <source>use at most %1 ranks, or another cluster</source>
        <translation>最多使用 %1 个 rank，或换一个集群</translation>
    </message>
    <message>
        <source>dp x tp x pp x cp is more than %1 ranks</source>
        <translation>dp x tp x pp x cp 超过 %1 个 rank</translation>
    </message>
    <message>
        <source>the model has no layers</source>
        <translation>模型没有层</translation>
    </message>
    <message>
        <source>the cluster has no nodes</source>
        <translation>集群没有节点</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not known; the rules of megatron-core are applied</source>
        <translation>未知的框架“%1”；按 megatron-core 的规则处理</translation>
    </message>
    <message>
        <source>%1, or %2</source>
        <translation>%1，或者%2</translation>
    </message>
    <message>
        <source>known: %1</source>
        <translation>已知：%1</translation>
    </message>
    <message>
        <source>%1 is not yet supported by this version; allowed: %2</source>
        <translation>本版本尚不支持%1；可取：%2</translation>
    </message>
    <message>
        <source>dp %1 x tp %2 x pp %3 x cp %4 = %5 ranks, but there are %6</source>
        <translation>dp %1 x tp %2 x pp %3 x cp %4 = %5 个 rank，但现有 %6 个</translation>
    </message>
    <message>
        <source>dp %1 x tp %2 x pp %3 x cp %4 = %5 ranks, but there are %6; dp is the rest: %7</source>
        <translation>dp %1 x tp %2 x pp %3 x cp %4 = %5 个 rank，但现有 %6 个；dp 应为其余：%7</translation>
    </message>
    <message>
        <source>give --gpus %1 or leave --dp out</source>
        <translation>把 GPU 数设为 %1，或让 DP 自动</translation>
    </message>
    <message>
        <source>for example --gpus %1</source>
        <translation>例如 GPU 数 %1</translation>
    </message>
    <message>
        <source>for example %1 uses all %2 ranks</source>
        <translation>例如 %1 可用满全部 %2 个 rank</translation>
    </message>
    <message>
        <source>%1 ranks are no multiple of tp %2 x pp %3 x cp %4 = %5; a multiple of %5 is needed</source>
        <translation>%1 个 rank 不是 tp %2 x pp %3 x cp %4 = %5 的倍数；需要 %5 的倍数</translation>
    </message>
    <message>
        <source>is needed: the model does not state its longest sequence</source>
        <translation>必须填写：模型未说明其最长序列</translation>
    </message>
    <message>
        <source>for example --seq-len 2048</source>
        <translation>例如 2048</translation>
    </message>
    <message>
        <source>all %1 devices of the cluster are used</source>
        <translation>使用集群的全部 %1 个设备</translation>
    </message>
    <message>
        <source>all %1 cores of the cluster are used</source>
        <translation>使用集群的全部 %1 个核</translation>
    </message>
    <message>
        <source>%1 of the cluster&apos;s %2 devices are used</source>
        <translation>使用集群 %2 个设备中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of the cluster&apos;s %2 cores are used</source>
        <translation>使用集群 %2 个核中的 %1 个</translation>
    </message>
    <message>
        <source>%1 ranks on %2 cores: up to %3 ranks take turns on a core</source>
        <translation>%1 个 rank 运行在 %2 个核上：每核最多 %3 个 rank 轮流执行</translation>
    </message>
    <message>
        <source>dp %1 = %2 ranks / (tp %3 x pp %4 x cp %5)</source>
        <translation>dp %1 = %2 个 rank /（tp %3 x pp %4 x cp %5）</translation>
    </message>
    <message>
        <source>pp %1: what is left of %2 ranks</source>
        <translation>pp %1：%2 个 rank 剩余的部分</translation>
    </message>
    <message>
        <source>tp %1: what is left of %2 ranks</source>
        <translation>tp %1：%2 个 rank 剩余的部分</translation>
    </message>
    <message>
        <source>cluster resized from %1 to %2 nodes of %3 devices to hold %4 ranks</source>
        <translation>集群由 %1 个节点调整为 %2 个节点（每节点 %3 个设备），以容纳 %4 个 rank</translation>
    </message>
    <message>
        <source>pipeline schedule: 1F1B</source>
        <translation>流水线调度：1F1B</translation>
    </message>
    <message>
        <source>pipeline schedule: interleaved 1F1B</source>
        <translation>流水线调度：交错 1F1B</translation>
    </message>
    <message>
        <source>sequence parallelism: off</source>
        <translation>序列并行：关</translation>
    </message>
    <message>
        <source>optimizer states are not sharded (zero 0)</source>
        <translation>优化器状态不分片（ZeRO 0）</translation>
    </message>
    <message>
        <source>activations are kept, not recomputed</source>
        <translation>保留激活，不重计算</translation>
    </message>
    <message>
        <source>masked language model: 15 % of the tokens reach head and loss, as in the original BERT</source>
        <translation>掩码语言模型：15 % 的词元进入输出层和损失，与原始 BERT 相同</translation>
    </message>
    <message>
        <source>updated parameters are gathered before the next forward pass</source>
        <translation>更新后的参数在下一次前向之前收集</translation>
    </message>
    <message>
        <source>parameters are gathered when they are needed, and again for the backward pass</source>
        <translation>参数在需要时收集，反向时再收集一次</translation>
    </message>
    <message>
        <source>gradients are reduced after the backward pass, as this software does</source>
        <translation>梯度在反向之后归约，该软件如此实现</translation>
    </message>
    <message>
        <source>stages compute on while their messages are under way</source>
        <translation>消息传输期间流水级继续计算</translation>
    </message>
    <message>
        <source>stages wait for their messages to be received, as this software does</source>
        <translation>流水级等待消息被接收，该软件如此实现</translation>
    </message>
    <message>
        <source>tensor-parallel communication runs beside its products in 4 pieces, as in the recipes of this framework</source>
        <translation>张量并行通信分 4 块与矩阵乘法重叠，与该框架的配方相同</translation>
    </message>
    <message>
        <source>recomputation: the least that fits, %1</source>
        <translation>重计算：能放入显存的最少量，%1</translation>
    </message>
    <message>
        <source>stage %1 with pp %2: gradients are reduced after every micro-batch, not once a step, and deepspeed refuses it; allowed: %3</source>
        <translation>第 %1 级 ZeRO 与 pp %2：梯度在每个微批次之后归约，而不是每步一次，deepspeed 不接受；允许：%3</translation>
    </message>
    <message>
        <source>gradient communication overlaps the backward pass</source>
        <translation>梯度通信与反向计算重叠</translation>
    </message>
    <message>
        <source>gradient buckets of %1 MiB</source>
        <translation>梯度桶大小 %1 MiB</translation>
    </message>
    <message>
        <source>%1; or an uneven split: stage_layers %2</source>
        <translation>%1；或采用不均匀划分：stage_layers %2</translation>
    </message>
    <message>
        <source>names %1 virtual stages, the layout has %2 (pp x vpp)</source>
        <translation>给出了 %1 个虚拟级，而布局有 %2 个（pp x vpp）</translation>
    </message>
    <message>
        <source>sums to %1, %2 has %3 layers</source>
        <translation>合计 %1 层，而 %2 有 %3 层</translation>
    </message>
    <message>
        <source>for example %1</source>
        <translation>例如 %1</translation>
    </message>
    <message>
        <source>dualpipe holds two chunks a stage by itself; allowed: 1</source>
        <translation>dualpipe 每级自身就有两个块；允许：1</translation>
    </message>
    <message>
        <source>dualpipe needs an even number of stages, pp is %1</source>
        <translation>dualpipe 要求级数为偶数，当前 pp 为 %1</translation>
    </message>
    <message>
        <source>dualpipe needs an even number of micro-batches, at least 2 x pp = %1; there are %2</source>
        <translation>dualpipe 要求微批次数为偶数且不少于 2 x pp = %1；当前为 %2</translation>
    </message>
    <message>
        <source>%1 does not divide the %2 attention heads of a tensor-parallel rank of %3, which ulysses exchanges; allowed: %4</source>
        <translation>%1 不能整除 %3 每个张量并行 rank 上的 %2 个注意力头（ulysses 要交换它们）；允许：%4</translation>
    </message>
    <message>
        <source>or --cp-kind ring</source>
        <translation>或使用 --cp-kind ring</translation>
    </message>
    <message>
        <source>ring attention over layers with a sliding window</source>
        <translation>滑动窗口层上的环形注意力</translation>
    </message>
    <message>
        <source>ring attention without a fused attention kernel</source>
        <translation>没有融合注意力内核的环形注意力</translation>
    </message>
    <message>
        <source>a pipeline of an encoder-decoder model (%1 stages)</source>
        <translation>编码器-解码器模型的流水线（%1 级）</translation>
    </message>
    <message>
        <source>context parallelism: ring attention</source>
        <translation>上下文并行：环形注意力</translation>
    </message>
    <message>
        <source>updated parameters are gathered beside the next forward pass</source>
        <translation>更新后的参数与下一次前向计算同时收集</translation>
    </message>
    <message>
        <source>parameters are gathered one unit ahead, and again for the backward pass</source>
        <translation>参数提前一个单元收集，反向计算时再收集一次</translation>
    </message>
    <message>
        <source>experts: the router balances them, each gets the same number of tokens (expert imbalance 1)</source>
        <translation>专家：路由保持均衡，每个专家得到同样多的 token（专家不均衡度 1）</translation>
    </message>
    <message>
        <source>experts: no token is dropped</source>
        <translation>专家：不丢弃任何 token</translation>
    </message>
    <message>
        <source>network: %1 per adapter as measured, not the %2 of the data sheet</source>
        <translation>网络：采用每个网卡的实测值 %1，而非规格书的 %2</translation>
    </message>
    <message>
        <source>element-wise operators run one by one: %1 without a compiler</source>
        <translation>逐元素算子逐个运行：%1 未使用编译器</translation>
    </message>
    <message>
        <source>dropout is on, as in recipes of unfused attention with learned positions</source>
        <translation>启用 dropout，与采用非融合注意力和可学习位置编码的训练方案一致</translation>
    </message>
    <message>
        <source>sequence length %1: the model&apos;s longest</source>
        <translation>序列长度 %1：模型的最长序列</translation>
    </message>
    <message>
        <source>sequence length %1: a usual training length; the model takes up to %2</source>
        <translation>序列长度 %1：常用训练长度；模型最长支持 %2</translation>
    </message>
    <message>
        <source>precision %1: the default on %2</source>
        <translation>精度 %1：%2 上的默认值</translation>
    </message>
    <message>
        <source>optimizer: Adam</source>
        <translation>优化器：Adam</translation>
    </message>
    <message>
        <source>experts: tokens travel by NCCL&apos;s all-to-all, which is the faster way inside a node</source>
        <translation>专家：令牌通过 NCCL 的 all-to-all 传输，在节点内这是更快的方式</translation>
    </message>
    <message>
        <source>experts: tokens travel by NCCL&apos;s all-to-all; libraries that write to peers (DeepEP) are advised above 8 ranks over nodes and are not modelled</source>
        <translation>专家：令牌通过 NCCL 的 all-to-all 传输；跨节点超过 8 个 rank 时建议使用直接写入对端的库（DeepEP），此处未建模</translation>
    </message>
    <message>
        <source>times are of the average step: ranks meet in one of %1</source>
        <translation>时间为平均步：每 %1 步中各 rank 同步一次</translation>
    </message>
    <message>
        <source>uncalibrated, PCIe: which path devices of a node take, and whether peer access helps, differs between boards; measure it with `trainwright measure`</source>
        <translation>PCIe 未校准：节点内设备走哪条路径、对等访问是否有益，因主板而异；请用 `trainwright measure` 测量</translation>
    </message>
    <message>
        <source>to be checked: %1</source>
        <translation>待核实：%1</translation>
    </message>
    <message>
        <source>%1 micro-batches on %2 stages leave them idle for %3 % of the passes</source>
        <translation>%2 个流水线阶段上只有 %1 个微批次，阶段有 %3 % 的时间空闲</translation>
    </message>
    <message>
        <source>%1 micro-batches bring it to 10 %</source>
        <translation>%1 个微批次可将其降至 10 %</translation>
    </message>
    <message>
        <source>stage 2 saves %1 of states and takes %2 for its buckets</source>
        <translation>第 2 级节省 %1 的状态，但其桶占用 %2</translation>
    </message>
    <message>
        <source>worth it above %1 parameters a rank; or a smaller bucket, or plain data parallelism</source>
        <translation>每个 rank 超过 %1 个参数才值得；或使用更小的桶，或普通数据并行</translation>
    </message>
    <message>
        <source>sharded parameters with experts: an expert without tokens on one rank skips its gather there, and the run hangs</source>
        <translation>分片参数与专家并用：某个 rank 上没有令牌的专家会跳过其收集，运行会挂起</translation>
    </message>
    <message>
        <source>gather each expert block as one unit (deepspeed: set_z3_leaf_modules; FSDP: wrap the block)</source>
        <translation>将每个专家块作为一个单元收集（deepspeed：set_z3_leaf_modules；FSDP：包装该块）</translation>
    </message>
    <message>
        <source>%1 groups inside one switch domain, which has %2 multicast slots</source>
        <translation>一个交换域内有 %1 个通信组，而它只有 %2 个组播槽位</translation>
    </message>
    <message>
        <source>set NCCL_NVLS_ENABLE=0, or fewer kinds of groups inside the domain</source>
        <translation>设置 NCCL_NVLS_ENABLE=0，或减少域内通信组的种类</translation>
    </message>
    <message>
        <source>the all-to-all of %1 ranks crosses rails: it goes over the node link to the adapter of the right rail (PXN), and without that over the spine, or nowhere on a fabric of rails alone</source>
        <translation>%1 个 rank 的 all-to-all 跨越导轨：经节点内链路到达对应导轨的网卡（PXN），否则经过脊交换机，在只有导轨的网络中则无路可走</translation>
    </message>
    <message>
        <source>keep NCCL_PXN_DISABLE at 0, or ep within the %1 devices of a node</source>
        <translation>保持 NCCL_PXN_DISABLE 为 0，或使 ep 不超过节点内的 %1 个设备</translation>
    </message>
    <message>
        <source>megatron-core refuses experts with tp %1 and without sequence parallelism</source>
        <translation>megatron-core 拒绝在 tp %1 且没有序列并行时使用专家</translation>
    </message>
    <message>
        <source>give --sequence-parallel</source>
        <translation>使用 --sequence-parallel</translation>
    </message>
    <message>
        <source>parameters are sharded for the host only by stage 3, zero is %1; allowed: 3</source>
        <translation>只有第 3 级会为主机分片参数，zero 为 %1；允许：3</translation>
    </message>
    <message>
        <source>give --zero 3 or leave it off</source>
        <translation>使用 --zero 3 或关闭该选项</translation>
    </message>
    <message>
        <source>what goes to the host are the layers&apos; inputs under full recomputation; allowed recompute: full</source>
        <translation>放到主机的是完全重计算下各层的输入；允许的 recompute：full</translation>
    </message>
    <message>
        <source>give --recompute full or leave it off</source>
        <translation>使用 --recompute full 或关闭该选项</translation>
    </message>
    <message>
        <source>compressed gradients, parameter servers and local steps need whole states on every rank, zero is %1; allowed: 0</source>
        <translation>压缩梯度、参数服务器和本地步需要每个 rank 拥有完整状态，zero 为 %1；允许：0</translation>
    </message>
    <message>
        <source>give --zero 0, or leave --compression, --sync-every and --parameter-servers out</source>
        <translation>使用 --zero 0，或不使用 --compression、--sync-every 和 --parameter-servers</translation>
    </message>
    <message>
        <source>with parameter servers the optimizer is theirs</source>
        <translation>使用参数服务器时优化器由它们负责</translation>
    </message>
    <message>
        <source>leave --offload-optimizer out</source>
        <translation>不使用 --offload-optimizer</translation>
    </message>
    <message>
        <source>a step takes %1 sequences of %2 tokens; allowed: at most %3 sequences</source>
        <translation>每步使用 %1 个 %2 令牌的序列；允许：最多 %3 个序列</translation>
    </message>
    <message>
        <source>a smaller micro-batch, or tensor, pipeline and context parallelism in place of data parallelism</source>
        <translation>更小的微批次，或以张量、流水线和上下文并行代替数据并行</translation>
    </message>
    <message>
        <source>or groups of --interleave-group %1</source>
        <translation>或使用 --interleave-group %1 分组</translation>
    </message>
    <message>
        <source>compute the loss in %1 chunks</source>
        <translation>分 %1 块计算损失</translation>
    </message>
    <message>
        <source>logits of a part of the micro-batch at a time; the head&apos;s product runs once more</source>
        <translation>一次只有部分微批次的 logits；输出头的乘积多算一次</translation>
    </message>
    <message>
        <source>recompute selectively</source>
        <translation>选择性重计算</translation>
    </message>
    <message>
        <source>scores of unfused attention are not kept</source>
        <translation>不保留非融合注意力的得分</translation>
    </message>
    <message>
        <source>use a fused attention kernel</source>
        <translation>使用融合注意力内核</translation>
    </message>
    <message>
        <source>scores never reach memory</source>
        <translation>得分不写入显存</translation>
    </message>
    <message>
        <source>sequence parallelism</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>activations outside the products are spread over the tensor group</source>
        <translation>乘积之外的激活分布在张量组上</translation>
    </message>
    <message>
        <source>recompute layers in full</source>
        <translation>完全重计算各层</translation>
    </message>
    <message>
        <source>only the layers&apos; inputs are kept</source>
        <translation>只保留各层的输入</translation>
    </message>
    <message>
        <source>keep the layers&apos; inputs in host memory</source>
        <translation>将各层输入放在主机内存</translation>
    </message>
    <message>
        <source>they travel over the host link beside compute</source>
        <translation>它们与计算并行地经主机链路传输</translation>
    </message>
    <message>
        <source>halve the micro-batch</source>
        <translation>微批次减半</translation>
    </message>
    <message>
        <source>a pass keeps half as much</source>
        <translation>每次前向只保留一半</translation>
    </message>
    <message>
        <source>double the chunks a stage</source>
        <translation>每个阶段的分块数加倍</translation>
    </message>
    <message>
        <source>smaller chunks, a lower peak where few are in flight</source>
        <translation>分块更小，在途分块少时峰值更低</translation>
    </message>
    <message>
        <source>shard the optimizer (zero 1)</source>
        <translation>分片优化器（zero 1）</translation>
    </message>
    <message>
        <source>states divided by the data-parallel ranks</source>
        <translation>状态由数据并行 rank 分摊</translation>
    </message>
    <message>
        <source>shard gradients and parameters too (zero 3)</source>
        <translation>同时分片梯度和参数（zero 3）</translation>
    </message>
    <message>
        <source>all states divided by the data-parallel ranks</source>
        <translation>所有状态由数据并行 rank 分摊</translation>
    </message>
    <message>
        <source>keep the optimizer in host memory</source>
        <translation>将优化器放在主机内存</translation>
    </message>
    <message>
        <source>its states leave the device; the update waits for the host</source>
        <translation>其状态离开设备；更新等待主机</translation>
    </message>
    <message>
        <source>double tensor parallelism, halve data parallelism</source>
        <translation>张量并行加倍，数据并行减半</translation>
    </message>
    <message>
        <source>a rank holds half of each layer</source>
        <translation>每个 rank 持有每层的一半</translation>
    </message>
    <message>
        <source>double the pipeline, halve data parallelism</source>
        <translation>流水线加倍，数据并行减半</translation>
    </message>
    <message>
        <source>a rank holds half of the layers</source>
        <translation>每个 rank 持有一半的层</translation>
    </message>
    <message>
        <source>use at least %1 devices of this kind</source>
        <translation>至少使用 %1 个此类设备</translation>
    </message>
    <message>
        <source>the states of the model alone take that much memory, however they are spread</source>
        <translation>无论如何分布，仅模型状态就需要这么多显存</translation>
    </message>
    <message>
        <source>attention: fused kernel, scores are not stored</source>
        <translation>注意力：融合内核，不存储得分</translation>
    </message>
    <message>
        <source>software: %1, newest release known</source>
        <translation>软件：%1，已知的最新版本</translation>
    </message>
    <message>
        <source>software: %1</source>
        <translation>软件：%1</translation>
    </message>
    <message>
        <source>micro-batch %1: the global batch over dp and micro-batches</source>
        <translation>微批次 %1：全局批次除以 dp 和微批次数</translation>
    </message>
    <message>
        <source>micro-batch 1</source>
        <translation>微批次 1</translation>
    </message>
    <message>
        <source>global batch %1 = micro-batch %2 x dp %3 x %4 micro-batches: it changes with dp; fix it to compare layouts of one training</source>
        <translation>全局批次 %1 = 微批次 %2 x dp %3 x %4 个微批次：随 dp 变化；比较同一训练的布局时请固定它</translation>
    </message>
    <message>
        <source>global batch %1 = micro-batch %2 x dp %3 x %4 micro-batch: it changes with dp; fix it to compare layouts of one training</source>
        <translation>全局批次 %1 = 微批次 %2 x dp %3 x %4 个微批次：随 dp 变化；比较同一训练的布局时请固定它</translation>
    </message>
    <message>
        <source>vocabulary %1 counted as %2: padded to a multiple of 128 x tp, as Megatron does</source>
        <translation>词表 %1 按 %2 计：如 Megatron 一样补齐到 128 x tp 的倍数</translation>
    </message>
    <message>
        <source>each of the %1 key/value heads is held by %2 tensor-parallel ranks</source>
        <translation>%1 个键值头各由 %2 个张量并行 rank 持有</translation>
    </message>
    <message>
        <source>constants: %1</source>
        <translation>常数：%1</translation>
    </message>
    <message>
        <source>halve the micro-batch to %1</source>
        <translation>把微批次减半为 %1</translation>
    </message>
    <message>
        <source>more micro-batches fill the pipeline</source>
        <translation>更多微批次填满流水线</translation>
    </message>
    <message>
        <source>double the micro-batch to %1</source>
        <translation>把微批次加倍为 %1</translation>
    </message>
    <message>
        <source>larger matrix products, fewer launches and messages</source>
        <translation>矩阵乘更大，启动和消息更少</translation>
    </message>
    <message>
        <source>halve tensor parallelism to %1, double data parallelism</source>
        <translation>张量并行减半为 %1，数据并行加倍</translation>
    </message>
    <message>
        <source>less exposed communication</source>
        <translation>减少未掩盖的通信</translation>
    </message>
    <message>
        <source>halve the pipeline to %1 stages, double data parallelism</source>
        <translation>流水线减半为 %1 个阶段，数据并行加倍</translation>
    </message>
    <message>
        <source>a smaller bubble</source>
        <translation>气泡更小</translation>
    </message>
    <message>
        <source>overlap the gradient reduction with the backward pass</source>
        <translation>让梯度归约与反向计算重叠</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>未掩盖的通信</translation>
    </message>
    <message>
        <source>lower the memory peak: smaller micro-batch, more tensor or pipeline parallelism</source>
        <translation>降低显存峰值：更小的微批次、更多的张量或流水线并行</translation>
    </message>
    <message>
        <source>the peak is %1 of %2</source>
        <translation>峰值为 %1，容量为 %2</translation>
    </message>
    <message>
        <source>shipped constants: %1</source>
        <translation>内置常数：%1</translation>
    </message>
    <message>
        <source>built-in defaults</source>
        <translation>内置默认值</translation>
    </message>
</context>
<context>
    <name>Labels</name>
    <message>
        <source>Time the slowest path spends in matrix products, attention and element-wise kernels of the forward and backward pass. Less of it: lower precision, larger micro-batches that fill the device, a fused attention kernel, more devices.</source>
        <translation>关键路径上前向与反向计算中矩阵乘、注意力和逐元素内核所用的时间。减少方法：降低精度、用更大的微批次填满设备、使用融合注意力内核、增加设备。</translation>
    </message>
    <message>
        <source>Forward work done a second time during the backward pass, to save activation memory. Less of it: selective instead of full recompute, if the memory allows.</source>
        <translation>为节省激活显存，在反向过程中再次执行的前向计算。减少方法：显存允许时，用选择性重计算代替完全重计算。</translation>
    </message>
    <message>
        <source>Time compute waits for the collectives inside each layer (all-reduce, or all-gather and reduce-scatter with sequence parallelism). It grows with TP and jumps when a TP group leaves the node. Less of it: lower TP, TP inside one node.</source>
        <translation>计算等待层内集合通信（all-reduce，或序列并行下的 all-gather 与 reduce-scatter）的时间。它随 TP 增大，TP 组跨节点时会陡增。减少方法：降低 TP，让 TP 组留在节点内。</translation>
    </message>
    <message>
        <source>Time compute waits for keys and values from the other ranks of the context-parallel group. Less of it: lower CP, longer sequences per rank, CP inside one node.</source>
        <translation>计算等待上下文并行组内其他 rank 的键和值的时间。减少方法：降低 CP、让每个 rank 处理更长的序列、让 CP 组留在节点内。</translation>
    </message>
    <message>
        <source>Time compute waits for the all-to-all that brings tokens to their experts and back. Less of it: EP inside one node, fewer experts per token, a faster network.</source>
        <translation>计算等待把 token 送到专家并取回的 all-to-all 通信的时间。减少方法：让 EP 组留在节点内、减少每个 token 的专家数、使用更快的网络。</translation>
    </message>
    <message>
        <source>Gradient reduction and parameter gathering that backward and forward compute could not hide. Less of it: overlap, larger global batch, less sharding over the network, a faster network.</source>
        <translation>未能被前向和反向计算掩盖的梯度归约与参数收集。减少方法：开启重叠、增大全局批次、减少跨网络的分片、使用更快的网络。</translation>
    </message>
    <message>
        <source>Time a stage waits for activations or gradients that are on their way from its neighbour. Less of it: fewer stages, stages of one pipeline on fast links.</source>
        <translation>流水线阶段等待相邻阶段传来激活或梯度的时间。减少方法：减少阶段数、让同一流水线的各阶段处于高速链路上。</translation>
    </message>
    <message>
        <source>Time a stage has nothing to do because the pipeline fills or drains. With p stages, m micro-batches and v chunks it is about (p - 1) / (v m) of the compute time. Less of it: more micro-batches, interleaved chunks, a zero-bubble schedule, fewer stages.</source>
        <translation>流水线填充或排空时阶段空闲的时间。有 p 个阶段、m 个微批次、v 个块时，约为计算时间的 (p - 1) / (v m)。减少方法：增加微批次、交错调度、零气泡调度、减少阶段数。</translation>
    </message>
    <message>
        <source>Update of the parameters at the end of the step, bound by memory bandwidth. Less of it: shard the optimizer over the data-parallel group (ZeRO 1 and up).</source>
        <translation>每步结束时的参数更新，受显存带宽限制。减少方法：在数据并行组内对优化器分片（ZeRO 1 及以上）。</translation>
    </message>
    <message>
        <source>Work of the host that the device waits for: launching kernels, per-step bookkeeping. Less of it: larger micro-batches, fewer and fused kernels, CUDA graphs.</source>
        <translation>设备等待主机的时间：启动内核、每步的管理开销。减少方法：更大的微批次、更少且融合的内核、CUDA 图。</translation>
    </message>
    <message>
        <source>Time the step waits for its training data. Less of it: more loader workers, faster storage, larger shards.</source>
        <translation>训练步等待数据的时间。减少方法：增加数据加载进程、更快的存储、更大的数据分片。</translation>
    </message>
    <message>
        <source>Time the step waits for a checkpoint, averaged over the steps between two of them. Less of it: asynchronous saving, longer interval, more storage bandwidth.</source>
        <translation>训练步等待检查点的时间，按两次检查点之间的步数平均。减少方法：异步保存、更长的间隔、更高的存储带宽。</translation>
    </message>
    <message>
        <source>Parameters of the layers on this stage in the precision they are computed with, divided by TP and, with ZeRO 3, by the shard group.</source>
        <translation>本阶段各层以计算精度存放的参数，除以 TP；使用 ZeRO 3 时再除以分片组大小。</translation>
    </message>
    <message>
        <source>One gradient for each parameter on this rank, divided by the shard group with ZeRO 2 and up.</source>
        <translation>本 rank 上每个参数的梯度；ZeRO 2 及以上时除以分片组大小。</translation>
    </message>
    <message>
        <source>32-bit copy of the parameters that the optimizer updates in mixed precision, divided by the shard group with ZeRO 1 and up.</source>
        <translation>混合精度下由优化器更新的 32 位参数副本；ZeRO 1 及以上时除以分片组大小。</translation>
    </message>
    <message>
        <source>Running averages of the optimizer; two 32-bit numbers for each parameter with Adam. Divided by the shard group with ZeRO 1 and up.</source>
        <translation>优化器的滑动平均；Adam 为每个参数保存两个 32 位数。ZeRO 1 及以上时除以分片组大小。</translation>
    </message>
    <message>
        <source>Results of the forward pass kept for the backward pass, of all micro-batches in flight on this stage. Recompute, TP with sequence parallelism, CP and smaller micro-batches make it smaller.</source>
        <translation>为反向计算保留的前向结果，包含本阶段所有在途微批次。重计算、带序列并行的 TP、CP 以及更小的微批次可以减小它。</translation>
    </message>
    <message>
        <source>Scores over the vocabulary and their gradient in the loss; tokens of a micro-batch times vocabulary, divided by TP. Only on the last stage.</source>
        <translation>词表上的得分及其在损失中的梯度；大小为微批次的 token 数乘以词表大小，再除以 TP。只在最后一个阶段出现。</translation>
    </message>
    <message>
        <source>Contiguous buffers in which gradients are reduced.</source>
        <translation>用于梯度归约的连续缓冲区。</translation>
    </message>
    <message>
        <source>Full parameters of the layers at work (and of the next ones, prefetched) under ZeRO 3.</source>
        <translation>ZeRO 3 下正在计算的层（以及预取的下一层）的完整参数。</translation>
    </message>
    <message>
        <source>Buffers of the communication library and of messages between stages.</source>
        <translation>通信库以及阶段间消息的缓冲区。</translation>
    </message>
    <message>
        <source>Operands and results of the operator at work that nothing keeps, and scratch buffers of the matrix libraries.</source>
        <translation>正在执行的算子中不会保留的操作数和结果，以及矩阵库的临时缓冲区。</translation>
    </message>
    <message>
        <source>What the driver, the libraries and the kernels take before the first tensor exists.</source>
        <translation>在第一个张量出现之前，驱动、库和内核占用的显存。</translation>
    </message>
    <message>
        <source>Memory the caching allocator holds but cannot use, as a share of what it manages.</source>
        <translation>缓存分配器占有却无法使用的显存，按其管理量的比例计算。</translation>
    </message>
    <message>
        <source>The network to train: a shipped profile, or a config.json dropped on the window.</source>
        <translation>要训练的网络：内置配置，或拖放到窗口上的 config.json。</translation>
    </message>
    <message>
        <source>The machines: devices, links inside a node, network between nodes.</source>
        <translation>机器：设备、节点内链路、节点间网络。</translation>
    </message>
    <message>
        <source>Devices of the job. DP x TP x PP x CP must be this number.</source>
        <translation>作业使用的设备数。DP x TP x PP x CP 必须等于它。</translation>
    </message>
    <message>
        <source>Sequences per step over all replicas. A multiple of micro-batch x DP.</source>
        <translation>每步所有副本处理的序列总数，是微批次 x DP 的倍数。</translation>
    </message>
    <message>
        <source>Tokens per sequence.</source>
        <translation>每条序列的 token 数。</translation>
    </message>
    <message>
        <source>Number format of the matrix products.</source>
        <translation>矩阵乘使用的数值格式。</translation>
    </message>
    <message>
        <source>Decides the optimizer&apos;s memory and the time of the update.</source>
        <translation>决定优化器占用的显存和参数更新的时间。</translation>
    </message>
    <message>
        <source>flash: scores never reach memory. unfused: they are written and read back.</source>
        <translation>flash：得分不写入显存。非融合：得分写入显存后再读回。</translation>
    </message>
    <message>
        <source>Software stack; it decides kernels, overlap and host overhead.</source>
        <translation>软件栈；决定内核、重叠方式和主机开销。</translation>
    </message>
    <message>
        <source>Length of the training; for total time, energy and price.</source>
        <translation>训练长度；用于计算总时间、能耗和费用。</translation>
    </message>
    <message>
        <source>Replicas of the model, each on other data. Left on automatic it is GPUs / (TP x PP x CP).</source>
        <translation>模型副本数，各自处理不同的数据。自动时为 GPU 数 / (TP x PP x CP)。</translation>
    </message>
    <message>
        <source>Each matrix is split over this many ranks. Must divide attention heads; belongs inside one node.</source>
        <translation>每个矩阵切分到这么多个 rank。必须整除注意力头数；应留在节点内。</translation>
    </message>
    <message>
        <source>Layers are split into this many stages.</source>
        <translation>把各层切分为这么多个流水线阶段。</translation>
    </message>
    <message>
        <source>Each stage holds this many chunks of layers; more chunks, smaller bubble, more messages.</source>
        <translation>每个阶段包含这么多个层块；块越多，气泡越小，消息越多。</translation>
    </message>
    <message>
        <source>Each sequence is split over this many ranks; for long sequences.</source>
        <translation>每条序列切分到这么多个 rank；用于长序列。</translation>
    </message>
    <message>
        <source>Experts of a mixture-of-experts layer are spread over this many ranks.</source>
        <translation>混合专家层的专家分布到这么多个 rank。</translation>
    </message>
    <message>
        <source>Tensor parallelism inside one expert.</source>
        <translation>单个专家内部的张量并行。</translation>
    </message>
    <message>
        <source>Norms and dropout of a TP group work on parts of the sequence; saves activations, needs TP above 1.</source>
        <translation>TP 组内的归一化和 dropout 只处理部分序列；节省激活显存，要求 TP 大于 1。</translation>
    </message>
    <message>
        <source>What the data-parallel group shares instead of copying: 1 optimizer state, 2 also gradients, 3 also parameters (FSDP).</source>
        <translation>数据并行组内分片而不复制的内容：1 优化器状态，2 再加梯度，3 再加参数（FSDP）。</translation>
    </message>
    <message>
        <source>Ranks that share one set of shards; 0 means the whole data-parallel group.</source>
        <translation>共享同一组分片的 rank 数；0 表示整个数据并行组。</translation>
    </message>
    <message>
        <source>Sequences a rank works on at once.</source>
        <translation>每个 rank 一次处理的序列数。</translation>
    </message>
    <message>
        <source>Order of forward and backward passes over the stages.</source>
        <translation>各阶段上前向与反向的执行顺序。</translation>
    </message>
    <message>
        <source>Drop activations and compute them again: none, only attention (selective), or all (full).</source>
        <translation>丢弃激活并重新计算：不重计算、仅注意力（选择性）或全部（完全）。</translation>
    </message>
    <message>
        <source>Reduce gradients while the backward pass still runs.</source>
        <translation>在反向计算进行的同时归约梯度。</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>TP communication</source>
        <translation>TP 通信</translation>
    </message>
    <message>
        <source>CP communication</source>
        <translation>CP 通信</translation>
    </message>
    <message>
        <source>EP communication</source>
        <translation>EP 通信</translation>
    </message>
    <message>
        <source>DP communication</source>
        <translation>DP 通信</translation>
    </message>
    <message>
        <source>PP communication</source>
        <translation>PP 通信</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Data loading</source>
        <translation>数据加载</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Exposed TP communication</source>
        <translation>未掩盖的 TP 通信</translation>
    </message>
    <message>
        <source>Exposed CP communication</source>
        <translation>未掩盖的 CP 通信</translation>
    </message>
    <message>
        <source>Exposed EP communication</source>
        <translation>未掩盖的 EP 通信</translation>
    </message>
    <message>
        <source>Exposed DP communication</source>
        <translation>未掩盖的 DP 通信</translation>
    </message>
    <message>
        <source>Exposed PP communication</source>
        <translation>未掩盖的 PP 通信</translation>
    </message>
    <message>
        <source>Data stall</source>
        <translation>数据停顿</translation>
    </message>
    <message>
        <source>Checkpoint stall</source>
        <translation>检查点停顿</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Master weights</source>
        <translation>主权重</translation>
    </message>
    <message>
        <source>Moments</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Logits</source>
        <translation>输出得分</translation>
    </message>
    <message>
        <source>Buckets</source>
        <translation>梯度桶</translation>
    </message>
    <message>
        <source>Gathered parameters</source>
        <translation>收集的参数</translation>
    </message>
    <message>
        <source>Communication buffers</source>
        <translation>通信缓冲区</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>运行环境</translation>
    </message>
    <message>
        <source>Fragmentation</source>
        <translation>碎片</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>TP, CP, EP</source>
        <translation>TP、CP、EP</translation>
    </message>
    <message>
        <source>DP</source>
        <translation>DP</translation>
    </message>
    <message>
        <source>send forward</source>
        <translation>前向发送</translation>
    </message>
    <message>
        <source>receive forward</source>
        <translation>前向接收</translation>
    </message>
    <message>
        <source>send backward</source>
        <translation>反向发送</translation>
    </message>
    <message>
        <source>receive backward</source>
        <translation>反向接收</translation>
    </message>
    <message>
        <source>host I/O</source>
        <translation>主机 I/O</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Borderline</source>
        <translation>接近上限</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>closed form</source>
        <translation>解析公式</translation>
    </message>
    <message>
        <source>folded simulation</source>
        <translation>折叠仿真</translation>
    </message>
    <message>
        <source>full simulation</source>
        <translation>完整仿真</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>全局批次</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Data parallel (DP)</source>
        <translation>数据并行 (DP)</translation>
    </message>
    <message>
        <source>Tensor parallel (TP)</source>
        <translation>张量并行 (TP)</translation>
    </message>
    <message>
        <source>Pipeline stages (PP)</source>
        <translation>流水线阶段 (PP)</translation>
    </message>
    <message>
        <source>Chunks per stage (VPP)</source>
        <translation>每阶段块数 (VPP)</translation>
    </message>
    <message>
        <source>Context parallel (CP)</source>
        <translation>上下文并行 (CP)</translation>
    </message>
    <message>
        <source>Expert parallel (EP)</source>
        <translation>专家并行 (EP)</translation>
    </message>
    <message>
        <source>TP inside an expert</source>
        <translation>专家内 TP</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>Sharding (ZeRO)</source>
        <translation>分片 (ZeRO)</translation>
    </message>
    <message>
        <source>Shard group (HSDP)</source>
        <translation>分片组 (HSDP)</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Pipeline schedule</source>
        <translation>流水线调度</translation>
    </message>
    <message>
        <source>Overlap gradients</source>
        <translation>梯度通信重叠</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>initialize</source>
        <translation>初始化</translation>
    </message>
    <message>
        <source>save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>memory bandwidth</source>
        <translation>显存带宽</translation>
    </message>
    <message>
        <source>link inside the node</source>
        <translation>节点内链路</translation>
    </message>
    <message>
        <source>network between nodes</source>
        <translation>节点间网络</translation>
    </message>
    <message>
        <source>network latency</source>
        <translation>网络延迟</translation>
    </message>
    <message>
        <source>host (kernel launches)</source>
        <translation>主机（内核启动）</translation>
    </message>
    <message>
        <source>storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>pipeline bubble</source>
        <translation>流水线气泡</translation>
    </message>
</context>
<context>
    <name>ScenarioFacts</name>
    <message>
        <source>%1 parameters, %2 active</source>
        <translation>%1 参数，其中 %2 激活</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 参数</translation>
    </message>
    <message numerus="yes">
        <source>%n layers</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>hidden %1</source>
        <translation>隐藏维度 %1</translation>
    </message>
    <message>
        <source>%1 heads, %2 for keys and values</source>
        <translation>%1 个注意力头，键值头 %2 个</translation>
    </message>
    <message>
        <source>vocabulary %1</source>
        <translation>词表 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 x %2 (%3) a node</source>
        <translation>每节点 %1 x %2 (%3)</translation>
    </message>
    <message>
        <source>inside the node %1 each way</source>
        <translation>节点内单向 %1</translation>
    </message>
    <message>
        <source>network %1 x %2</source>
        <translation>网络 %1 x %2</translation>
    </message>
    <message numerus="yes">
        <source>%n GPUs</source>
        <translation>
            <numerusform>%n 个 GPU</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainwright::gui::AdviceModel</name>
    <message>
        <source>not computed</source>
        <translation>未计算</translation>
    </message>
    <message>
        <source>What to try</source>
        <translation>可尝试</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>单步时间</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值显存</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::BreakdownModel</name>
    <message>
        <source>Part of the step</source>
        <translation>单步组成</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::DiagnosticsModel</name>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>处理办法</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::Inspector</name>
    <message>
        <source>Inspector</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>未选择内容</translation>
    </message>
    <message>
        <source>Click a part of a chart, a table row or a field to read what it means and where its number comes from.</source>
        <translation>点击图表的一部分、表格的一行或一个字段，即可查看其含义和数值来源。</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::JobsBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>关闭消息</translation>
    </message>
    <message>
        <source>Predicting</source>
        <translation>正在预测</translation>
    </message>
    <message>
        <source>Simulating, %1</source>
        <translation>正在仿真，%1</translation>
    </message>
    <message>
        <source>Reading the file</source>
        <translation>正在读取文件</translation>
    </message>
    <message>
        <source>%1 left</source>
        <extracomment>%1 a duration such as &quot;12 s&quot;</extracomment>
        <translation>剩余 %1</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::MainWindow</name>
    <message>
        <source>%1 was not opened. %2</source>
        <extracomment>%1 name of a file, %2 list of problems</extracomment>
        <translation>未能打开 %1。%2</translation>
    </message>
    <message>
        <source>Trainwright</source>
        <translation>Trainwright</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Open a plan, a model or a cluster</source>
        <translation>打开方案、模型或集群文件</translation>
    </message>
    <message>
        <source>JSON files (*.json)</source>
        <translation>JSON 文件 (*.json)</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::MemoryChart</name>
    <message>
        <source>stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>Memory per device (%1)</source>
        <extracomment>axis title, %1 is a unit such as GB</extracomment>
        <translation>每设备显存 (%1)</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::MemoryModel</name>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Peak in</source>
        <translation>峰值出现于</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>剩余</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::MeshView</name>
    <message>
        <source>The mesh appears when the layout is valid.</source>
        <translation>布局有效后在此显示设备网格。</translation>
    </message>
    <message numerus="yes">
        <source>Rows are nodes, %n more not shown; P stage, D replica.</source>
        <translation>
            <numerusform>每行一个节点，另有 %n 个未显示；P 为阶段，D 为副本。</numerusform>
        </translation>
    </message>
    <message>
        <source>Rows are nodes, cells devices; P stage, D replica.</source>
        <translation>每行一个节点，每格一个设备；P 为阶段，D 为副本。</translation>
    </message>
    <message>
        <source>rank %1, node %2: tp %3, cp %4, dp %5, stage %6</source>
        <translation>rank %1，节点 %2：tp %3，cp %4，dp %5，阶段 %6</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::ProfileListModel</name>
    <message>
        <source>%1 (%2 parameters)</source>
        <extracomment>%1 name of a model, %2 its size such as &quot;8.03 B&quot;</extracomment>
        <translation>%1（%2 参数）</translation>
    </message>
    <message>
        <source>%1 (%2 devices a node)</source>
        <extracomment>%1 name of a cluster, %2 a number</extracomment>
        <translation>%1（每节点 %2 个设备）</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::ResultPage</name>
    <message>
        <source>There is no result: the scenario is refused. The Scenario page shows what is wrong at each field, with a value that works.</source>
        <translation>没有结果：该方案不成立。方案页会在每个字段处说明问题，并给出可行的取值。</translation>
    </message>
    <message>
        <source>The first prediction is being computed.</source>
        <translation>正在计算第一次预测。</translation>
    </message>
    <message>
        <source>The step takes %1 on its critical path; the largest part is %2 with %3.</source>
        <extracomment>%1 step time, %2 name of the largest part, %3 its share</extracomment>
        <translation>单步在关键路径上耗时 %1；最大的部分是%2，占 %3。</translation>
    </message>
    <message>
        <source>The fullest stage needs %1 (dashed line: capacity of one device). %2.</source>
        <extracomment>%1 memory used and capacity, %2 verdict</extracomment>
        <translation>占用最多的阶段需要 %1（虚线：单个设备的容量）。%2。</translation>
    </message>
    <message>
        <source>The step is bound by %1.</source>
        <translation>单步受限于%1。</translation>
    </message>
    <message>
        <source>%1, %2 of the step</source>
        <translation>%1，占单步的 %2</translation>
    </message>
    <message>
        <source>Live estimate, closed form</source>
        <translation>实时估算，解析公式</translation>
    </message>
    <message>
        <source>%1 on stage %2, at the peak in the %3 phase</source>
        <extracomment>%1 bytes, %2 number of the stage, %3 phase in which memory peaks</extracomment>
        <translation>阶段 %2 上 %1，峰值出现在%3阶段</translation>
    </message>
    <message>
        <source>step (90 % interval)</source>
        <translation>单步时间（90 % 区间）</translation>
    </message>
    <message>
        <source>Time from the start of one step to the start of the next.</source>
        <translation>从一步开始到下一步开始的时间。</translation>
    </message>
    <message>
        <source>tokens per second</source>
        <translation>token/秒</translation>
    </message>
    <message>
        <source>Global batch x sequence length / step time.</source>
        <translation>全局批次 x 序列长度 / 单步时间。</translation>
    </message>
    <message>
        <source>per device</source>
        <translation>每设备</translation>
    </message>
    <message>
        <source>Tokens per second divided by the number of devices.</source>
        <translation>每秒 token 数除以设备数。</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>Model FLOP utilization: the model&apos;s own operations per second over the dense peak of the devices, without recomputation.</source>
        <translation>模型算力利用率：模型自身每秒运算量与设备稠密峰值之比，不计重计算。</translation>
    </message>
    <message>
        <source>HFU</source>
        <translation>HFU</translation>
    </message>
    <message>
        <source>Hardware FLOP utilization: as MFU, with recomputed operations counted.</source>
        <translation>硬件算力利用率：同 MFU，但计入重计算的运算。</translation>
    </message>
    <message>
        <source>per device, model</source>
        <translation>每设备模型算力</translation>
    </message>
    <message>
        <source>The model&apos;s own operations per second and device.</source>
        <translation>每个设备每秒完成的模型自身运算量。</translation>
    </message>
    <message>
        <source>What the step is made of</source>
        <translation>单步由什么组成</translation>
    </message>
    <message>
        <source>What memory is made of at its peak</source>
        <translation>峰值显存由什么组成</translation>
    </message>
    <message>
        <source>What limits it</source>
        <translation>受什么限制</translation>
    </message>
    <message>
        <source>What to try next</source>
        <translation>下一步可尝试</translation>
    </message>
    <message>
        <source>No change is known that would help this plan.</source>
        <translation>没有已知的改动能改善该方案。</translation>
    </message>
    <message>
        <source>Assumed</source>
        <translation>假设</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::ScenarioCards</name>
    <message>
        <source>0: nothing shared</source>
        <translation>0：不分片</translation>
    </message>
    <message>
        <source>1: optimizer state</source>
        <translation>1：优化器状态</translation>
    </message>
    <message>
        <source>2: and gradients</source>
        <translation>2：再加梯度</translation>
    </message>
    <message>
        <source>3: and parameters</source>
        <translation>3：再加参数</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>none</source>
        <translation>不重计算</translation>
    </message>
    <message>
        <source>selective</source>
        <translation>选择性</translation>
    </message>
    <message>
        <source>full</source>
        <translation>完全</translation>
    </message>
    <message>
        <source>unfused</source>
        <translation>非融合</translation>
    </message>
    <message>
        <source>Set to %1</source>
        <translation>改为 %1</translation>
    </message>
    <message>
        <source>Set to %1 (other problems stay)</source>
        <translation>改为 %1（其他问题仍在）</translation>
    </message>
    <message>
        <source>automatic</source>
        <extracomment>%1 the value that was derived for a field left on automatic</extracomment>
        <translation>自动</translation>
    </message>
    <message>
        <source>automatic (%1)</source>
        <translation>自动 (%1)</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>作业</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>并行布局</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::ScenarioPage</name>
    <message>
        <source>Three questions, in this order: does it fit into memory? Which batch and layout? How far does it scale? Change a field and watch the verdict above.</source>
        <translation>按顺序回答三个问题：显存放得下吗？用什么批次和布局？能扩展到多大规模？修改任一字段，并留意上方的结论。</translation>
    </message>
    <message>
        <source>Close for good</source>
        <translation>不再显示</translation>
    </message>
    <message>
        <source>Problems of the scenario</source>
        <translation>方案的问题</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::TimelineModel</name>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message numerus="yes">
        <source>rank %1 (and %n alike)</source>
        <extracomment>%1 number of a rank, %n how many other ranks behave the same</extracomment>
        <translation>
            <numerusform>rank %1（另有 %n 个相同）</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank and stream</source>
        <translation>rank 与流</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>Share of the step</source>
        <translation>占单步的比例</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务数</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::TimelinePage</name>
    <message>
        <source>%1 of %2 tasks, step %3. Wheel: zoom, drag: move, click: what a task is.</source>
        <translation>%1，共 %2 个任务，单步 %3。滚轮缩放，拖动平移，点击查看任务。</translation>
    </message>
    <message>
        <source>The scenario has changed since this simulation; simulate again to bring it up to date.</source>
        <translation>方案在这次仿真之后已改变；请重新仿真。</translation>
    </message>
    <message>
        <source>%1, from %2</source>
        <extracomment>%1 duration, %2 time since the start of the step</extracomment>
        <translation>%1，开始于 %2</translation>
    </message>
    <message>
        <source>%1, stream %2</source>
        <extracomment>%1 &quot;rank 3&quot;, %2 name of a stream</extracomment>
        <translation>%1，流：%2</translation>
    </message>
    <message>
        <source>No simulation yet. The simulator runs the plan&apos;s execution graph on the cluster&apos;s network and shows who does what when.</source>
        <translation>尚未仿真。仿真器在集群网络上运行方案的执行图，并显示每个 rank 在何时做什么。</translation>
    </message>
    <message>
        <source>Simulate</source>
        <translation>仿真</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Timeline of the simulated step</source>
        <translation>仿真单步的时间线</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::TimelineView</name>
    <message>
        <source>Time (%1)</source>
        <extracomment>axis title of the timeline, %1 is a unit such as ms</extracomment>
        <translation>时间 (%1)</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::TitleStrip</name>
    <message>
        <source>No valid scenario</source>
        <translation>没有有效的方案</translation>
    </message>
    <message>
        <source>Open a plan, a model or a cluster (or drop the file on the window)</source>
        <translation>打开方案、模型或集群（也可把文件拖到窗口上）</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::VerdictStrip</name>
    <message>
        <source>Simulate</source>
        <translation>仿真</translation>
    </message>
    <message>
        <source>Run the plan on the simulated network and show its timeline</source>
        <translation>在仿真网络上运行方案并显示时间线</translation>
    </message>
    <message>
        <source>memory per device</source>
        <translation>每设备显存</translation>
    </message>
    <message>
        <source>step (90 % interval)</source>
        <translation>单步时间（90 % 区间）</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Predicting</source>
        <translation>正在预测</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n 个问题</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <extracomment>%1 name of a field, %2 what is wrong with it</extracomment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>trainwright::gui::WhatIfModel</name>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>If %1 times as fast</source>
        <extracomment>%1 a factor such as 2</extracomment>
        <translation>如果快到 %1 倍</translation>
    </message>
</context>
</TS>

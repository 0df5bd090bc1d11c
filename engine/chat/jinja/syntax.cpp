#include "engine/chat/jinja/syntax.h"

#include <algorithm>

namespace engine::jinja {

namespace {
    /// Visits every child expression of a node and keeps the largest depth.
    struct DeepestChild {
        int depth = 0;

        void add(const ExpressionPtr& child)
        {
            if (child)
                depth = std::max(depth, child->depth);
        }
        void add(const std::vector<ExpressionPtr>& children)
        {
            for (const ExpressionPtr& child : children)
                add(child);
        }
        void add(const CallArguments& arguments)
        {
            add(arguments.positional);
            for (const auto& [name, value] : arguments.named)
                add(value);
            add(arguments.unpackedList);
            add(arguments.unpackedDict);
        }

        void operator()(const Literal&) { }
        void operator()(const NameRef&) { }
        void operator()(const ListLiteral& node) { add(node.items); }
        void operator()(const DictLiteral& node)
        {
            for (const auto& [key, value] : node.entries) {
                add(key);
                add(value);
            }
        }
        void operator()(const AttributeRef& node) { add(node.base); }
        void operator()(const ItemRef& node)
        {
            add(node.base);
            add(node.key);
        }
        void operator()(const SliceRef& node)
        {
            add(node.base);
            add(node.start);
            add(node.stop);
            add(node.step);
        }
        void operator()(const Call& node)
        {
            add(node.callee);
            add(node.arguments);
        }
        void operator()(const FilterCall& node)
        {
            add(node.subject);
            add(node.arguments);
        }
        void operator()(const TestCall& node)
        {
            add(node.subject);
            add(node.arguments);
        }
        void operator()(const Unary& node) { add(node.operand); }
        void operator()(const Arithmetic& node)
        {
            add(node.first);
            for (const auto& [op, operand] : node.rest)
                add(operand);
        }
        void operator()(const Concatenation& node) { add(node.operands); }
        void operator()(const Comparison& node)
        {
            add(node.first);
            for (const auto& [op, operand] : node.rest)
                add(operand);
        }
        void operator()(const Logic& node) { add(node.operands); }
        void operator()(const Conditional& node)
        {
            add(node.condition);
            add(node.then);
            add(node.otherwise);
        }
    };
}

int deepestChild(const ExpressionNode& node)
{
    DeepestChild deepest;
    std::visit(deepest, node);
    return deepest.depth;
}

} // namespace engine::jinja
